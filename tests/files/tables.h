// A small pair of tables and its schema, for the tests of importing.
#pragma once

#include <string>

namespace graphveil::files {

inline const std::string kPeople =
    "person,age,city,hobbies,smoker,job,note\n"
    "u10,30,Lyon,chess|go,yes,nurse,a\n"
    "u2,50,Paris,,no,teacher,b\n"
    "\"u,3\",,Rome,\"go|golf\",no,,c\n"
    "u4,120,,chess,,pilot,d\n";

inline const std::string kFriends =
    "from,to,closeness\n"
    "u10,u2,0.9\n"
    "\"u,3\",u2,0.2\n"
    "u4,u10,0.5\n"
    "u4,ghost,1\n";

inline const std::string kSchema = R"(format = "graphveil-schema/1"
declared = true
[nodes]
id = "person"
label = "job"
classes = ["nurse", "teacher"]
[edges]
source = "from"
target = "to"
[[feature]]
column = "age"
kind = "number"
range = [0, 100]
missing = 40
[[feature]]
column = "city"
kind = "category"
values = ["Lyon", "Paris"]
missing = "column"
[[feature]]
column = "hobbies"
kind = "text-bag"
values = ["chess", "go"]
[[feature]]
column = "smoker"
kind = "flag"
)";

// More of a schema, to put behind that one.
inline const std::string kDateAndAbout = R"([[feature]]
column = "born"
kind = "date"
format = "DD.MM.YYYY"
reference = "2026-01-01"
range = [0, 120]
missing = "column"
unreadable = "missing"
[about]
data = "people of a town"
controller = "its mayor"
purpose = "beds"
people = 400
)";

}  // namespace graphveil::files
