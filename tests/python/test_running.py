"""Progress, Ctrl-C, threads, memory."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time

import pytest

import graphveil as gv


def test_progress_is_told_and_may_stop_the_work(tiny, tmp_path):
    seen = []

    def listen(task, done, total, seconds, finished):
        seen.append((task, done, total))

    gv.Lap(epsilon=4, steps=2000).fit(tiny, progress=listen)
    assert seen and all(0 <= done <= total for _, done, total in seen)

    class Enough(Exception):
        pass

    def stop(task, done, total, seconds, finished):
        raise Enough(task)

    with pytest.raises(Enough):
        gv.Lap(epsilon=4, steps=2000000).fit(tiny, out=tmp_path / "run", progress=stop)
    assert os.listdir(tmp_path) == []


CTRL_C = """
import os, signal, sys, threading, time
import graphveil as gv
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background is started without it
graph = gv.Graph.load(sys.argv[1])
def press():
    time.sleep(1.0)
    print("pressed", time.time(), flush=True)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press, daemon=True).start()
try:
    gv.Lap(epsilon=4, steps=100000000).fit(graph, out=sys.argv[2], progress=False)
except KeyboardInterrupt:
    print("stopped", time.time(), flush=True)
"""


def test_ctrl_c_stops_within_a_second_and_leaves_nothing(tiny_path, tmp_path):
    out = tmp_path / "run"
    done = subprocess.run(
        [sys.executable, "-c", CTRL_C, tiny_path, str(out)], capture_output=True, text=True, timeout=60
    )
    lines = dict(line.split() for line in done.stdout.splitlines())
    assert set(lines) == {"pressed", "stopped"}, done.stderr
    assert float(lines["stopped"]) - float(lines["pressed"]) < 1.0
    assert os.listdir(tmp_path) == []


def test_the_lock_is_free_while_it_works(tiny):
    ticks = []
    ended = threading.Event()

    def tick():
        while not ended.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    gv.Lap(epsilon=4, steps=5000).fit(tiny, progress=False)
    ended.set()
    thread.join()
    assert len(ticks) > 3


def test_fits_in_several_threads_at_once(tiny):
    wanted = gv.Lap(epsilon=4, seed=7).fit(tiny, progress=False).predict_proba().value
    found, errors = {}, []

    def fit(i):
        try:
            found[i] = gv.Lap(epsilon=4, seed=7).fit(tiny, threads=1 + i % 2, progress=False).predict_proba().value
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=fit, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert all((values == wanted).all() for values in found.values()) and len(found) == 6


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_fits_do_not_grow():
    """By default 300; GRAPHVEIL_LONG_TESTS=1: a thousand."""
    graph = gv.Graph.generate("tiny", nodes=60, seed=1)
    model = gv.Lap(epsilon=4, steps=1, noise_multiplier=2.0)
    for _ in range(50):
        model.fit(graph, progress=False)
    before = peak()
    for _ in range(950 if os.environ.get("GRAPHVEIL_LONG_TESTS") else 250):
        model.fit(graph, progress=False)
    assert peak() - before < 1024  # KiB


def test_interrupts_leave_the_handlers_of_python_alone(tiny):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        gv.Lap(epsilon=4).fit(tiny, progress=False)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
