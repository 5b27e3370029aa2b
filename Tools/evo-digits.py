#!/usr/bin/env python3
# SPDX-FileCopyrightText: The arsim authors
# SPDX-License-Identifier: Apache-2.0
"""Prints what evo (pip install evo==1.38.1) says about the trajectories of evo_traj, digit for digit.

    Tools/evo-digits.py ../shared/data/evo_traj > Tests/AREvaluationTests/EvoDigits.swift

Each line: error, pair, alignment, poses to align (0: all), relation, delta, unit, all pairs (1 or 0), whose pairs, then
rmse, mean, median, std, min, max, sse. evo is only run, as its users run it: `evo_ape tum TRUTH ESTIMATE -a -r trans_part`.
"""
import json, os, subprocess, sys, tempfile, zipfile

folder = sys.argv[1]
pairs = {
    "xyz-rgbdslam": ("tum", "freiburg1_xyz-groundtruth.txt", "freiburg1_xyz-rgbdslam.txt"),
    "xyz-drift": ("tum", "freiburg1_xyz-groundtruth.txt", "freiburg1_xyz-rgbdslam_drift.txt"),
    "xyz-orb": ("tum", "freiburg1_xyz-groundtruth.txt", "freiburg1_xyz-ORB_kf_mono.txt"),
    "desk-orb": ("tum", "fr2_desk_groundtruth.txt", "fr2_desk_ORB.txt"),
    "v102": ("euroc", "V102_groundtruth.csv", "V102.txt"),
}
flags = {"none": [], "origin": ["--align_origin"], "se3": ["-a"], "sim3": ["-a", "-s"], "scale": ["-s"]}
absolute = [(a, 0, r) for a in flags for r in ("trans_part", "angle_deg", "full")]
absolute += [("se3", 0, "rot_part"), ("sim3", 20, "trans_part"), ("se3", 20, "angle_deg")]
relative = [
    ("none", "trans_part", 1, "f", 0, "estimate"), ("none", "angle_deg", 1, "f", 0, "estimate"),
    ("none", "full", 5, "f", 0, "estimate"), ("none", "rot_part", 5, "f", 1, "estimate"),
    ("none", "trans_part", 0.1, "m", 0, "estimate"), ("none", "angle_deg", 0.1, "m", 0, "truth"),
    ("none", "trans_part", 0.2, "m", 1, "estimate"), ("none", "trans_part", 0.2, "m", 1, "truth"),
    ("sim3", "trans_part", 0.2, "m", 1, "estimate"),
    ("none", "angle_deg", 5, "d", 0, "estimate"), ("none", "angle_deg", 5, "d", 1, "truth"),
    ("none", "trans_part", 0.1, "r", 0, "truth"), ("none", "angle_rad", 0.1, "r", 1, "estimate"),
]


def run(job):
    label, program, arguments = job
    with tempfile.TemporaryDirectory() as scratch:
        results = os.path.join(scratch, "results.zip")
        command = [program, *arguments, "--silent", "--no_warnings", "--save_results", results]
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{ended.stdout}{ended.stderr}")
        stats = json.loads(zipfile.ZipFile(results).read("stats.json"))
    numbers = (format(stats[k], ".11g") for k in ("rmse", "mean", "median", "std", "min", "max", "sse"))
    return f"    {label} \\\n        {' '.join(numbers)}"


jobs = []
for name, (kind, truth, estimate) in pairs.items():
    files = [kind, os.path.join(folder, truth), os.path.join(folder, estimate)]
    for alignment, count, relation in absolute:
        some = ["--n_to_align", str(count)] if count else []
        jobs.append((f"ape {name} {alignment} {count} {relation} - - - -", "evo_ape",
                     files + flags[alignment] + some + ["-r", relation]))
    for alignment, relation, delta, unit, every, whose in relative:
        options = ["-r", relation, "-d", str(delta), "-u", unit]
        options += ["--all_pairs"] * every + ["--pairs_from_reference"] * (whose == "truth")
        jobs.append((f"rpe {name} {alignment} 0 {relation} {delta} {unit} {every} {whose}", "evo_rpe",
                     files + flags[alignment] + options))
print("""// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// What evo 1.38.1 says about the trajectories of evo_traj; made by Tools/evo-digits.py, which explains the columns.
let evoDigits = \"\"\"""")
for job in jobs:
    print(run(job), flush=True)
print('    """')
