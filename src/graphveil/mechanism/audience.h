// Who may see a value, as its type: everybody, the node it is about, or the data holder alone.
#pragma once

#include <utility>

#include "graphveil/mechanism/noisy.h"
#include "graphveil/mechanism/public_data.h"

namespace graphveil::learn {
class PrivateTrainer;
}

namespace graphveil::mechanism {

// May be published. Made from noisy values, from data that a PublicData token vouches for, or by a function of values
// that are public already; or by the trainer of learn/, whose every step reads a noisy sum. There is no other way. The
// type stops a private value that is passed on by mistake; it cannot see what a function or a token is used for.
template <typename T>
class Public {
 public:
  explicit Public(Noisy<T> noisy) : value_(std::move(noisy).value()) {}
  Public(T value, const PublicData& /*vouched*/) : value_(std::move(value)) {}

  const T& value() const& { return value_; }
  T&& value() && { return std::move(value_); }

 private:
  friend class ::graphveil::learn::PrivateTrainer;
  template <typename F, typename... Ts>
  friend auto from_public(F&& function, const Public<Ts>&... inputs);
  struct Derived {};
  Public(T value, Derived) : value_(std::move(value)) {}
  T value_;
};

// function(values...) of public values: public too. The function must read nothing else that is private, and no
// compiler sees what it captures: keep it in sight of the call.
template <typename F, typename... Ts>
auto from_public(F&& function, const Public<Ts>&... inputs) {
  using Result = decltype(function(inputs.value()...));
  return Public<Result>(function(inputs.value()...), typename Public<Result>::Derived{});
}

// Row v is for node v, or for somebody who holds v's record.
template <typename T>
class Owner {
 public:
  explicit Owner(T rows) : rows_(std::move(rows)) {}
  const T& rows() const& { return rows_; }
  T&& rows() && { return std::move(rows_); }

 private:
  T rows_;
};

// A value for the data holder, which never leaves.
template <typename T>
class Holder {
 public:
  explicit Holder(T value) : value_(std::move(value)) {}
  const T& private_value() const& { return value_; }
  T&& private_value() && { return std::move(value_); }

 private:
  T value_;
};

// Whom a thing is for. "public", "owner", "holder".
enum class Audience { Public, Owner, Holder };
std::string_view name(Audience audience);

}  // namespace graphveil::mechanism
