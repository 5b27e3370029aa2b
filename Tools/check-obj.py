#!/usr/bin/env python3
# SPDX-FileCopyrightText: The arsim authors
# SPDX-License-Identifier: Apache-2.0
"""Asks trimesh (from PyPI) whether the objects of an OBJ file are closed solids: Tools/check-obj.py FILE…

Prints for each file whether it is watertight, its volume in cubic metres and its number of triangles.
Ends with 1 when a file bounds no volume.
"""

import sys

import trimesh


def describe(path: str) -> bool:
    mesh = trimesh.load(path, force="mesh", merge_norm=True)
    verdict = "closed" if mesh.is_volume else "not closed"
    print(f"{path}: {verdict}, {mesh.volume:.9g} m3, {len(mesh.faces)} triangles")
    return mesh.is_volume


if len(sys.argv) < 2:
    sys.exit("usage: Tools/check-obj.py FILE...")
sys.exit(0 if all([describe(path) for path in sys.argv[1:]]) else 1)
