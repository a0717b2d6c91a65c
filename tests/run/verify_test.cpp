#include "graphveil/run/verify.h"

#include <algorithm>
#include <cctype>
#include <functional>

#include <nlohmann/json.hpp>

#include "graphveil/artifact/read_file.h"
#include "graphveil/method/registry.h"
#include "tests/run/verified_run.h"

namespace graphveil::run::verify_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Verify : public VerifiedRun {};

TEST_F(Verify, EveryMethodsOwnCertificateHolds) {
  for (const std::string& name : method::method_names()) {
    OptionList options;
    if (name == "dpgnn") options = {{"relation", "record"}};
    const artifact::Certificate c = train_one(name, options);
    const Verdict verdict = verify_path(folder_);
    if (method::make_method(name)->relations().empty()) {
      EXPECT_FALSE(verdict.holds()) << name;
      EXPECT_FALSE(verdict.epsilon.has_value()) << name;
      continue;
    }
    EXPECT_TRUE(verdict.holds()) << name << ": " << reasons_of(verdict);
    EXPECT_TRUE(verdict.releasable()) << name;
    EXPECT_NEAR(*verdict.epsilon, *c.epsilon, 1e-9) << name;
  }
}

TEST_F(Verify, EveryRelationsOwnCertificateHolds) {
  for (const char* name : {"lap", "gap-ndp", "sage-ndp", "gap-edp", "mlp-dp"}) {
    for (const bound::Relation relation : method::make_method(name)->relations()) {
      train_one(name, {{"relation", std::string(bound::name(relation))}});
      const Verdict verdict = verify_path(folder_);
      EXPECT_TRUE(verdict.holds()) << name << " " << bound::name(relation) << ": " << reasons_of(verdict);
    }
  }
}

TEST_F(Verify, ASearchsCertificateHolds) {
  for (const auto& [name, relation] : {std::pair{"mlp-dp", "node"},
                                       {"lap", "node"},
                                       {"gap-ndp", "record"},
                                       {"lap", "edge"},
                                       {"gap-edp", "undirected-edge"},
                                       {"mlp", "edge"}}) {
    const artifact::Certificate c = train_one(name, {{"relation", relation}, {"tune", "3"}});
    const Verdict verdict = verify_path(folder_);
    EXPECT_TRUE(verdict.releasable()) << name << " " << relation << ": " << reasons_of(verdict);
    EXPECT_NEAR(verdict.epsilon.value_or(-1), *c.epsilon, 1e-9) << name;
    EXPECT_LE(*c.epsilon, 1) << name;
  }
}

TEST_F(Verify, ASearchThatIsLeftOutOfTheLedgerIsFound) {
  train_one("mlp-dp", {{"tune", "4"}});
  const auto refused = [&](const std::function<void(json&)>& edit) {
    json d = document();
    edit(d);
    return !verify_edited(resealed(d)).holds();
  };
  EXPECT_FALSE(refused([](json&) {}));
  EXPECT_TRUE(refused([](json& d) { d.erase("trials"); }));
  EXPECT_TRUE(refused([](json& d) { d["trials"]["rate"] = 1.5; }));
  const auto option = [](json& d, const char* name) -> json& {
    for (json& entry : d["config"]) {
      if (entry["name"] == name) return entry["value"];
    }
    throw std::runtime_error("no such option");
  };
  EXPECT_TRUE(refused([&](json& d) { option(d, "tune") = "2"; }));
  EXPECT_TRUE(refused([&](json& d) { option(d, "tune") = "none"; }));
  EXPECT_TRUE(refused([&](json& d) { option(d, "tune-over") = "learning-rate"; }));
  EXPECT_TRUE(refused([](json& d) { d["remarks"] = json::array(); }));
}

TEST_F(Verify, EditsAreFoundEvenWhenTheDigestIsMadeAnew) {
  struct Edit {
    const char* what;
    std::function<void(json&)> make;
  };
  const std::vector<Edit> edits = {
      {"ten times the noise in the lines",
       [](json& d) {
         for (auto& line : d["lines"]) {
           auto& noise = line["event"]["mechanism"]["noise_multiplier"];
           noise = noise.get<double>() * 10;
           line["noise_scale"] = line["noise_scale"].get<double>() * 10;
         }
       }},
      {"a line deleted", [](json& d) { d["lines"].erase(0); }},
      {"a line and its event deleted",
       [](json& d) {
         d["lines"].erase(0);
         d["events"].erase(0);
       }},
      {"an event less often", [](json& d) { d["lines"][1]["event"]["count"] = 1; }},
      {"a smaller sensitivity", [](json& d) { d["lines"][0]["sensitivity"] = 0.5; }},
      {"what a line releases",
       [](json& d) {
         d["lines"][0]["releases"] = {{"kind", "class-sums"}, {"classes", 4}};
       }},
      {"for how many messages a line is made", [](json& d) { d["lines"][0]["releases"]["messages"] = 7; }},
      {"what a line reads", [](json& d) { d["lines"][0]["reads"] = "own-records"; }},
      {"another noise scale", [](json& d) { d["lines"][0]["noise_scale"] = 1e3; }},
      {"another noise", [](json& d) { d["noise"] = d["noise"].get<double>() * 2; }},
      {"events of another plan", [](json& d) { d["events"][1]["count"] = 1; }},
      {"no events", [](json& d) { d["events"] = json::array(); }},
      {"another relation", [](json& d) { d["relation"] = "undirected-edge"; }},
      {"a weaker relation", [](json& d) { d["relation"] = "record"; }},
      {"other neighbors", [](json& d) { d["neighbors"] = "one directed edge is added or removed"; }},
      {"another protected degree", [](json& d) { d["protect_degree"] = 400; }},
      {"another delta", [](json& d) { d["delta"] = 1e-9; }},
      {"a lower epsilon", [](json& d) { d["epsilon"] = 0.1; }},
      {"a lower epsilon at another delta", [](json& d) { d["epsilon_at"][0]["epsilon"] = 0.01; }},
      {"an assumption deleted", [](json& d) { d["assumptions"].erase(0); }},
      {"no assumptions", [](json& d) { d["assumptions"] = json::array(); }},
      {"a statement's audience",
       [](json& d) {
         for (auto& s : d["statements"]) s["audience"] = "public";
       }},
      {"a statement's degree", [](json& d) { d["statements"][0]["degree"] = nullptr; }},
      {"a statement's larger degree", [](json& d) { d["statements"][0]["degree"] = 100000; }},
      {"a statement's epsilon", [](json& d) { d["statements"][1]["epsilon"] = 0.01; }},
      {"a statement more",
       [](json& d) {
         json more = d["statements"][0];
         more["what"] = "everything";
         d["statements"].push_back(more);
       }},
      {"releasable", [](json& d) { d["releasable"] = true; }},
      {"releasable, and no reason why not",
       [](json& d) {
         d["releasable"] = true;
         d["not_releasable"] = json::array();
       }},
      {"a secret seed", [](json& d) { d["seed"] = "secret"; }},
      {"a secret seed, releasable",
       [](json& d) {
         d["seed"] = "secret";
         d["releasable"] = true;
         d["not_releasable"] = json::array();
       }},
      {"not valid", [](json& d) { d["valid"] = false; }},
      {"a reason against it", [](json& d) { d["reasons"] = {"because"}; }},
      {"published accounting", [](json& d) { d["accounting"] = "published"; }},
      {"another version", [](json& d) { d["version"] = "0.0.1"; }},
      {"another method", [](json& d) { d["method"] = "gap-ndp"; }},
      {"a method that is not", [](json& d) { d["method"] = "magic"; }},
      {"an option that the plan reads",
       [](json& d) {
         for (auto& option : d["config"]) {
           if (option["name"] == "epsilon") option["value"] = "0.5";
         }
       }},
      {"an option that no number shows",
       [](json& d) {
         for (auto& option : d["config"]) {
           if (option["name"] == "learning-rate") option["value"] = "0.125";
         }
       }},
      {"an option less", [](json& d) { d["config"].erase(0); }},
      {"an option twice", [](json& d) { d["config"].push_back(d["config"][0]); }},
      {"more training nodes", [](json& d) { d["public"]["train_nodes"] = 100000; }},
      {"fewer nodes than train", [](json& d) { d["public"]["nodes"] = 2; }},
      {"nobody trains", [](json& d) { d["public"]["train_nodes"] = 0; }},
      {"something else found in the data", [](json& d) { d["found_in_data"] = {"nothing much"}; }},
      {"a schema that there is not", [](json& d) { d["schema_sha256"] = std::string(64, '0'); }},
      {"names without a schema",
       [](json& d) {
         d["class_names"] = {"a", "b", "c", "d"};
       }},
      {"a field that does not belong there", [](json& d) { d["note"] = "approved"; }},
      {"another model", [](json& d) { d["model_sha256"] = std::string(64, '0'); }},
      {"another config file", [](json& d) { d["config_sha256"] = std::string(64, '0'); }},
  };
  train_one("lap", {{"seed", "1"}, {"epsilon", "2"}});  // valid, not releasable
  ASSERT_TRUE(verify_edited(read(artifact::kDraft, artifact::kCertificate)).holds());
  ASSERT_TRUE(verify_edited(resealed(document())).holds()) << "resealing alone changes nothing";
  for (const Edit& edit : edits) {
    json forged = document();
    edit.make(forged);
    ASSERT_TRUE(forged != document()) << edit.what;
    EXPECT_FALSE(verify_edited(resealed(forged)).holds()) << edit.what;
    EXPECT_FALSE(verify_edited(resealed(forged)).releasable()) << edit.what;
    EXPECT_FALSE(verify_edited(forged.dump(2)).holds()) << edit.what << ", not resealed";
  }
}

// Two readers may disagree which of two equal names counts: the page shows one epsilon, the program reads the other.
TEST_F(Verify, AFieldThatStandsTwiceIsRefused) {
  train_one("gap-edp");
  const std::string good = read(artifact::kRelease, artifact::kCertificate);
  for (const char* name : {"\"epsilon\"", "\"releasable\"", "\"noise_scale\"", "\"digest\""}) {
    std::string twice = good;
    const size_t at = twice.find(name);
    ASSERT_NE(at, std::string::npos) << name;
    twice.insert(at, std::string(name) + ": 0.25, ");
    try {
      verify_edited(twice);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput) << name;
      EXPECT_NE(std::string(error.what()).find("twice"), std::string::npos) << error.what();
    }
  }
}

// With propagation predictions read neighbors in the clear: whoever switches it on afterwards claims too much.
TEST_F(Verify, AConfigFileThatSaysSomethingElseIsFound) {
  train_one("gap-edp");
  std::string config = read(artifact::kRelease, artifact::kConfig);
  const size_t at = config.find("propagate = 0");
  ASSERT_NE(at, std::string::npos);
  config.replace(at, 13, "propagate = 3");
  Evidence evidence;
  evidence.model = artifact::read_file(path(artifact::kRelease, artifact::kModel));
  evidence.config = bytes(config);
  const std::string text = read(artifact::kRelease, artifact::kCertificate);
  EXPECT_FALSE(verify(text, evidence, "c.json").holds());
  // Also when the certificate is made to name the new file,
  json forged = document();
  forged["config_sha256"] = sha256_text(config);
  EXPECT_FALSE(verify(resealed(forged), evidence, "c.json").holds());
  // and lists the new value.
  for (auto& option : forged["config"]) {
    if (option["name"] == "propagate") option["value"] = "3";
  }
  const Verdict verdict = verify(resealed(forged), evidence, "c.json");
  ASSERT_EQ(verdict.reasons.size(), 1u) << reasons_of(verdict);
  EXPECT_NE(verdict.reasons[0].find("statements"), std::string::npos);
}

TEST_F(Verify, AnotherModelIsFound) {
  train_one("gap-edp");
  std::string model = read(artifact::kRelease, artifact::kModel);
  model.back() = static_cast<char>(model.back() ^ 1);
  write(artifact::kRelease, artifact::kModel, model);
  const Verdict verdict = verify_path(folder_);
  ASSERT_EQ(verdict.reasons.size(), 1u);
  EXPECT_NE(verdict.reasons[0].find(artifact::kModel), std::string::npos);
}

TEST_F(Verify, NothingElseMayLieInTheFolderAndThePageSaysWhatTheCertificateSays) {
  train_one("gap-edp");
  const std::string page = read(artifact::kRelease, artifact::kCertificatePage);
  const auto only_reason = [&](const char* word) {
    const Verdict verdict = verify_path(folder_);
    ASSERT_EQ(verdict.reasons.size(), 1u) << word << ": " << reasons_of(verdict);
    EXPECT_NE(verdict.reasons[0].find(word), std::string::npos) << verdict.reasons[0];
    // A model may be used all the same.
    EXPECT_TRUE(verify_files(folder_).holds());
    // Of a certificate by itself nothing else is judged.
    EXPECT_TRUE(verify_path(path(artifact::kRelease, artifact::kCertificate)).holds());
  };
  write(artifact::kRelease, artifact::kCertificatePage, page + "It is (0.01, 0)-differentially private.\n");
  only_reason("does not say what the certificate says");
  write(artifact::kRelease, artifact::kCertificatePage, page);
  const std::string html = read(artifact::kRelease, artifact::kCertificateHtml);
  write(artifact::kRelease, artifact::kCertificateHtml, html + "<p>It is perfectly private.</p>");
  only_reason("certificate.html does not say what the certificate says");
  write(artifact::kRelease, artifact::kCertificateHtml, html);
  write(artifact::kRelease, "notes.txt", "private");
  only_reason("notes.txt does not belong beside it");
  fs::remove(path(artifact::kRelease, "notes.txt"));
  write(artifact::kRelease, artifact::kSignature, "Alice, 35");
  only_reason("is no signature");
  fs::remove(path(artifact::kRelease, artifact::kSignature));
  fs::rename(path(artifact::kRelease, artifact::kConfig), place_ / "config");
  fs::create_symlink(place_ / "config", path(artifact::kRelease, artifact::kConfig));
  only_reason("is a link to another place");
}

TEST_F(Verify, TheFolderItsReleaseOrTheCertificateAlone) {
  train_one("gap-edp");
  const Verdict whole = verify_path(folder_);
  EXPECT_TRUE(whole.releasable()) << reasons_of(whole);
  const auto speaks_of = [](const Verdict& verdict, const std::string& word) {
    return std::any_of(verdict.unchecked.begin(), verdict.unchecked.end(),
                       [&](const std::string& item) { return item.find(word) != std::string::npos; });
  };
  EXPECT_FALSE(speaks_of(whole, artifact::kModel));
  EXPECT_TRUE(speaks_of(whole, "signature"));

  fs::copy(folder_ + "/" + artifact::kRelease, place_ / "given", fs::copy_options::recursive);
  const Verdict given = verify_path((place_ / "given").string());
  EXPECT_TRUE(given.releasable()) << reasons_of(given);
  // What only the holder's log can say.
  EXPECT_FALSE(speaks_of(whole, "nodes were there"));
  EXPECT_TRUE(speaks_of(given, "nodes were there"));
  EXPECT_EQ(given.unchecked.size(), whole.unchecked.size() + 1);

  const std::string alone = (place_ / "alone.json").string();
  fs::copy(path(artifact::kRelease, artifact::kCertificate), alone);
  const Verdict by_itself = verify_path(alone);
  EXPECT_TRUE(by_itself.releasable()) << reasons_of(by_itself);
  EXPECT_TRUE(speaks_of(by_itself, artifact::kModel));
  EXPECT_TRUE(speaks_of(by_itself, artifact::kConfig));
}

TEST_F(Verify, ASignatureIsThatOfOneKeyAndOneText) {
  train_one("gap-edp", {}, kPrivateKey);
  EXPECT_TRUE(verify_path(folder_, kPublicKey).holds()) << reasons_of(verify_path(folder_, kPublicKey));
  EXPECT_FALSE(verify_path(folder_, kOtherPublicKey).holds());
  EXPECT_TRUE(verify_path(path(artifact::kRelease, artifact::kCertificate), kPublicKey).holds());

  // One byte that changes nothing else: the file ends in two newlines.
  const std::string certificate = read(artifact::kRelease, artifact::kCertificate);
  write(artifact::kRelease, artifact::kCertificate, certificate + "\n");
  EXPECT_TRUE(verify_path(folder_).holds());
  EXPECT_FALSE(verify_path(folder_, kPublicKey).holds());
  write(artifact::kRelease, artifact::kCertificate, certificate);
  std::string signature = read(artifact::kRelease, artifact::kSignature);
  signature[10] = static_cast<char>(signature[10] ^ 1);
  write(artifact::kRelease, artifact::kSignature, signature);
  EXPECT_FALSE(verify_path(folder_, kPublicKey).holds());
  fs::remove(path(artifact::kRelease, artifact::kSignature));
  EXPECT_FALSE(verify_path(folder_, kPublicKey).holds());
  EXPECT_TRUE(verify_path(folder_).holds());
}

// A consistent certificate of another run passes without a signature, and only then.
TEST_F(Verify, OnlyTheSignatureFindsACertificateOfAnotherRun) {
  train_one("gap-edp", {{"epsilon", "8"}}, kPrivateKey);
  const std::string signature = read(artifact::kRelease, artifact::kSignature);
  train_one("gap-edp", {{"epsilon", "1"}});
  write(artifact::kRelease, artifact::kSignature, signature);
  EXPECT_TRUE(verify_path(folder_).holds());
  EXPECT_FALSE(verify_path(folder_, kPublicKey).holds());
}

TEST_F(Verify, WhatIsNoCertificateIsAnError) {
  const auto kind_of = [](const std::string& path) {
    try {
      verify_path(path);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::Internal;
  };
  EXPECT_EQ(kind_of("no/such/folder"), ErrorKind::Io);
  EXPECT_EQ(kind_of(place_.string()), ErrorKind::Io);  // a folder, not of a run
  train_one("mlp");
  const json good = document();
  for (const auto& [name, value] : good.items()) {
    json bad = good;
    bad.erase(name);
    write(artifact::kRelease, artifact::kCertificate, name == "digest" ? bad.dump() : resealed(bad));
    try {
      EXPECT_FALSE(verify_path(folder_).holds()) << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput) << name << ": " << error.what();
    }
  }
  write(artifact::kRelease, artifact::kCertificate, "[" + std::string(100, '[') + std::string(101, ']'));
  EXPECT_EQ(kind_of(folder_), ErrorKind::BadInput);
}

TEST_F(Verify, RandomDamageNeverPassesAndNeverCrashes) {
  train_one("lap");
  const std::string good = read(artifact::kRelease, artifact::kCertificate);
  RandomStream random(Seed::from_number(5), "damage");
  const auto is_blank = [](char c) { return c == ' ' || c == '\n'; };
  for (int i = 0; i < 300; ++i) {
    std::string text = good;
    const size_t at = random.below(text.size());
    const char put = "0123456789.e-\",:[]{}ntx"[random.below(23)];
    if (is_blank(text[at]) || text[at] == put) continue;
    text[at] = put;
    try {
      EXPECT_FALSE(verify_edited(text).holds()) << "'" << good[at] << "' became '" << put << "' at " << at;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput) << error.what();
    }
  }
}

}  // namespace
}  // namespace graphveil::run::verify_test
