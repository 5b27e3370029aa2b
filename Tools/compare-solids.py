#!/usr/bin/env python3
# SPDX-FileCopyrightText: The arsim authors
# SPDX-License-Identifier: Apache-2.0
"""Makes solids of the paths that DrawingBenchmarks wrote with shapely and trimesh (from PyPI) and prints what it takes:
Tools/compare-solids.py FOLDER [LARGEST]

Paths of more than LARGEST points (100000) are left out: trimesh takes long for them.
"""

import os
import pathlib
import sys
import time

import numpy
import shapely
import trimesh

if len(sys.argv) < 2:
    sys.exit("usage: Tools/compare-solids.py FOLDER [LARGEST]")
folder = pathlib.Path(sys.argv[1])
largest = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
for path in sorted(folder.glob("*.f64"), key=os.path.getsize):
    points = numpy.fromfile(path).reshape(-1, 2)
    if len(points) > largest:
        continue
    times = [time.process_time()]
    area = shapely.LineString(points).buffer(0.0015)
    mesh = trimesh.creation.extrude_polygon(area, 0.003)
    times.append(time.process_time())
    text = mesh.export(file_type="obj")
    times.append(time.process_time())
    solid, writing = (1000 * (b - a) for a, b in zip(times, times[1:]))
    rate = len(text) / writing / 1000
    print(f"{path.stem:18} solid {solid:8.0f} ms, OBJ {writing:8.0f} ms {rate:5.0f} MB/s, {len(mesh.faces)} triangles")
