// Checkpoints of a run: named arrays in a safetensors file that is there as a whole or not at all.
#pragma once

#include <string>

#include "graphveil/base/random.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/nn/state.h"

namespace graphveil::report {

// Replaces the file in one move: a temporary file, flushed to disk, then renamed, so that a process killed at any
// moment leaves the last whole checkpoint. Only its owner may read it. Throws Io.
//
// A checkpoint holds private state (optimiser moments, and whatever seed the caller puts in): it is for the data
// holder alone and is no release.
void write_checkpoint(const std::string& path, const nn::State& state);
// Throws Io when it cannot be read, BadInput when it is not a whole, consistent file.
nn::State read_checkpoint(const std::string& path);

// What a resumed run needs of its release and its seed, under "release.*" and "seed.*".
void save_release(const mechanism::Release& release, nn::State& state);
// Takes a fresh release of the same plan to where the saved one stood. Throws BadInput when it does not fit.
void load_release(const nn::State& state, mechanism::Release& release);
void save_seed(const Seed& seed, nn::State& state);
Seed load_seed(const nn::State& state);

}  // namespace graphveil::report
