// The program where the machine or the data is at an end: a full disk, no edge, a name that is no text.
#include <filesystem>

#include "tests/cli/journey.h"

namespace graphveil::cli::hostile_machine_test {
namespace {

class HostileMachine : public Journey {
 protected:
  // A folder of plain text with these edges.
  std::string text_folder(const std::string& name, const std::string& edges) const {
    std::string features, labels;
    for (int v = 0; v < 40; ++v) {
      features += std::to_string(v % 5) + "," + std::to_string(v % 3) + "\n";
      labels += std::to_string(v % 2) + "\n";
    }
    folder_.write(name + "/features.csv", features);
    folder_.write(name + "/labels.csv", labels);
    folder_.write(name + "/edges.csv", edges);
    return folder_.path(name);
  }
};

TEST_F(HostileMachine, AnAnswerThatIsLostIsNoSuccess) {
  for (const std::string& command : {"data info --json " + graph_, "data info " + graph_, std::string("methods"),
                                     std::string("--help"), std::string("account --noise-multiplier 1 --delta 1e-5")}) {
    const Outcome lost = run(folder_, command + " >/dev/full");
    EXPECT_EQ(lost.exit_code, 2) << command;
    EXPECT_NE(lost.error.find("standard output"), std::string::npos) << lost.error;
  }
  EXPECT_EQ(run(folder_, "data info nothing >/dev/full").exit_code, 2);
}

// A file that is opened then must not get the number of a standard stream, nor an error end in an abort.
TEST_F(HostileMachine, ClosedStreamsGetNoFile) {
  const std::string out = folder_.path("run"), rows = folder_.path("rows.csv");
  ASSERT_EQ(run(folder_, "train lap --steps 3 --data " + graph_ + " --out " + out).exit_code, 0);
  EXPECT_EQ(run(folder_, "predict " + out + " --data " + graph_ + " --out " + rows + " >&-").exit_code, 0);
  EXPECT_EQ(files::read_bytes(rows).find("predictions "), std::string::npos);
  EXPECT_EQ(run(folder_, "verify nothing <&- >&- 2>&-; exit $?").exit_code, 2);
  EXPECT_EQ(run(folder_, "verify /proc/self/mem").exit_code, 2);
}

TEST_F(HostileMachine, ANameThatIsNoTextIsRefusedBeforeTheWork) {
  const std::string odd = folder_.path("odd\xff");
  for (const std::string& command :
       {"train lap --data " + graph_ + " --out " + odd, "train privgnn --data " + odd + " --out " + folder_.path("a"),
        "train lap --sign " + odd + " --data " + graph_, "predict x --data " + graph_ + " --out " + odd}) {
    const Outcome refused = run(folder_, command);
    EXPECT_EQ(refused.exit_code, 2) << command;
    EXPECT_NE(refused.error.find("UTF-8"), std::string::npos) << refused.error;
    EXPECT_EQ(refused.out, "");
  }
  EXPECT_FALSE(std::filesystem::exists(odd + ".part"));
}

// Whether there is an edge is private: both train.
TEST_F(HostileMachine, AGraphTrainsWithoutItsLastEdge) {
  const std::string one = text_folder("one", "0,1\n1,0\n"), none = text_folder("none", "");
  const std::string node = "lap --steps 3", plain = "mlp --epochs 2", sums = "gap-edp --epochs 2 --encoder-epochs 2";
  for (const std::string& method : {node, sums, plain, std::string("lap --relation edge --epochs 2"),
                                    std::string("sage-ndp --steps 3"), std::string("progap-edp --epochs 2")}) {
    for (const std::string& data : {one, none}) {
      const Outcome trained = run(folder_, "train " + method + " -q --json --data " + data);
      EXPECT_EQ(trained.exit_code, 0) << method << data << trained.error;
    }
  }
}

TEST_F(HostileMachine, AGraphOfSelfLoopsComesBack) {
  const std::string loops = text_folder("loops", "0,0\n3,3\n");
  for (const char* name : {"loops.gvg", "loops.npz"}) {
    ASSERT_EQ(run(folder_, "data convert " + loops + " " + folder_.path(name) + " -q").exit_code, 0);
    const Outcome back = run(folder_, "data info --json " + folder_.path(name));
    ASSERT_EQ(back.exit_code, 0) << back.error;
    EXPECT_EQ(back.json()["edges"], 0);
  }
}

// Nobody declared the classes of plain text: they were read off private labels, and everything has their shape.
TEST_F(HostileMachine, TheCertificateSaysThatClassesWereFound) {
  const std::string data = text_folder("text", "0,1\n1,0\n"), gvg = folder_.path("text.gvg");
  ASSERT_EQ(run(folder_, "data convert " + data + " " + gvg + " -q").exit_code, 0);
  for (const auto& [from, out] : {std::pair(data, folder_.path("a")), {gvg, folder_.path("b")}}) {
    ASSERT_EQ(run(folder_, "train mlp-dp --steps 2 -q --data " + from + " --out " + out).exit_code, 0);
    const auto certificate = nlohmann::json::parse(files::read_bytes(out + "/release/certificate.json"));
    ASSERT_EQ(certificate["found_in_data"].size(), 1u);
    EXPECT_NE(certificate["found_in_data"][0].get<std::string>().find("number of classes"), std::string::npos);
    EXPECT_EQ(run(folder_, "verify " + out).exit_code, 0);
  }
}

TEST_F(HostileMachine, NumbersThatJudgeByLabelsSayWhoseTheyAre) {
  const auto node = train("mlp-dp", "node").json(), edge = train("gap-edp", "edge").json();
  for (const char* name : {"test_accuracy", "confusion", "classes", "macro_f1"}) {
    EXPECT_EQ(node["audience"][name], "holder");
    EXPECT_EQ(edge["audience"][name], "public");
  }
}

}  // namespace
}  // namespace graphveil::cli::hostile_machine_test
