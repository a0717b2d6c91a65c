// Checks that a reader refuses: the kind of error, and words its message must have.
#pragma once

#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::files {

template <typename Body>
void expect_error(ErrorKind kind, std::initializer_list<std::string> words, Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(name(error.kind()), std::string(name(kind))) << error.what();
    const std::string message = error.what();
    for (const std::string& word : words)
      EXPECT_NE(message.find(word), std::string::npos) << message << " lacks " << word;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return;
  }
  ADD_FAILURE() << "nothing was refused";
}

template <typename Body>
void expect_bad_input(std::initializer_list<std::string> words, Body&& body) {
  expect_error(ErrorKind::BadInput, words, body);
}

}  // namespace graphveil::files
