// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import Timing

@testable import ARSimulation

// Measures the renderer against the ray caster beneath it: the same primary rays, in the same packets, intersected only.
// "Full" is the light on each pixel, with shadows and smooth edges, and the truth as a session has it, pictures of ids and
// of depths. Both are
// taken frame by frame, one after the other, on a film whose camera moves; the table has medians. What the first frame
// costs more, light maps above all, has a column of its own.

/// The primary rays of a shot.
func primaryRays(of shot: Shot, from renderer: Renderer) -> RayBatch {
    let size = renderer.size
    let rays = RayBatch(capacity: size.width * size.height, near: 0)
    for row in 0..<size.height {
        let view = RowView(row, of: shot, table: renderer.table)
        for column in 0..<size.width {
            rays.set(
                row * size.width + column, origin: view.origin, direction: view.direction(column), far: .infinity,
                time: Float(view.time))
        }
    }
    return rays
}

/// What paints the truth that a session has.
func truthPainter(of view: RenderedView) -> TruthPainter {
    TruthPainter(
        size: view.size, kinds: [.depth, .objects],
        idsByObject: view.model.surfaces.indices.map { UInt16(truncatingIfNeeded: $0 + 1) })
}

func measure(_ view: RenderedView) {
    let light = RadianceImage(size: view.size)
    let renderers = [1, 2].map { Renderer(model: view.model, camera: view.camera, size: view.size, threads: $0) }
    let hits = HitBatch(capacity: view.size.width * view.size.height)
    defer { hits.deallocate() }
    let painter = truthPainter(of: view)
    func render(_ shot: Shot, by renderer: Renderer) {
        let truth = painter.pictures { renderer.render(shot, into: light, truth: $0) }
        precondition(truth.depth != nil)
    }
    let first = milliseconds(on: CLOCK_PROCESS_CPUTIME_ID) { render(view.shots[0], by: renderers[0]) }
    render(view.shots[0], by: renderers[1])
    var (raw, full, walls) = ([Double](), [Double](), [[Double](), [Double]()])
    for shot in view.shots.dropFirst() {
        full.append(
            milliseconds(on: CLOCK_PROCESS_CPUTIME_ID) {
                walls[0].append(
                    milliseconds(on: CLOCK_MONOTONIC) { render(shot, by: renderers[0]) })
            })
        let rays = primaryRays(of: shot, from: renderers[0])
        raw.append(
            milliseconds(on: CLOCK_PROCESS_CPUTIME_ID) {
                renderers[0].raycaster.intersect(rays, count: rays.capacity, hits: hits)
            })
        walls[1].append(
            milliseconds(on: CLOCK_MONOTONIC) { render(shot, by: renderers[1]) })
    }
    let ratio = median(zip(full, raw).map { $0 / $1 })
    let speedup = median(zip(walls[0], walls[1]).map { $0 / $1 })
    print(
        view.name.padding(toLength: 16, withPad: " ", startingAt: 0)
            + String(
                format: "%5d×%-4d %8.1f %8.1f %7.2f %8.1f %8.1f %8.1f %8.2f", view.size.width, view.size.height,
                median(raw), median(full), ratio, first, 1e3 / median(walls[0]), 1e3 / median(walls[1]), speedup))
}

/// Measures how much more than the first of some views the others cost, a frame of each by turns, so that a machine that
/// becomes slower or faster meanwhile changes little.
func measureGrowth(of views: [RenderedView], rounds: Int) {
    let size = views[0].size
    let light = RadianceImage(size: size)
    let hits = HitBatch(capacity: size.width * size.height)
    defer { hits.deallocate() }
    let renderers = views.map { Renderer(model: $0.model, camera: $0.camera, size: size, threads: 1) }
    let painters = views.map { truthPainter(of: $0) }
    let rays = zip(views, renderers).map { view, renderer in
        view.shots.map { primaryRays(of: $0, from: renderer) }
    }
    var (raw, full) = ([[Double]](), [[Double]]())
    for round in 0...rounds {
        for frame in 0..<RenderedView.frameCount {
            var (rawOfFrame, fullOfFrame) = ([Double](), [Double]())
            for (index, view) in views.enumerated() {
                fullOfFrame.append(
                    milliseconds(on: CLOCK_PROCESS_CPUTIME_ID) {
                        _ = painters[index].pictures {
                            renderers[index].render(view.shots[frame], into: light, truth: $0)
                        }
                    })
                rawOfFrame.append(
                    milliseconds(on: CLOCK_PROCESS_CPUTIME_ID) {
                        renderers[index].raycaster.intersect(
                            rays[index][frame], count: rays[index][frame].capacity, hits: hits)
                    })
            }
            // The first round makes the light maps.
            if round > 0 {
                raw.append(rawOfFrame)
                full.append(fullOfFrame)
            }
        }
    }
    for (index, view) in views.enumerated() {
        func growth(_ times: [[Double]]) -> Double { median(times.map { $0[index] / $0[0] }) }
        print(
            view.name.padding(toLength: 16, withPad: " ", startingAt: 0)
                + String(
                    format: "%5d×%-4d %8.1f %8.1f %8.2f %8.2f", size.width, size.height, median(raw.map { $0[index] }),
                    median(full.map { $0[index] }), growth(raw), growth(full)))
    }
}

/// Columns and rows, such as 640x480.
func size(_ text: String) -> ImageSize? {
    let numbers = text.split(separator: "x").compactMap { Int($0) }
    return numbers.count == 2 ? ImageSize(width: numbers[0], height: numbers[1]) : nil
}

// On the command line: sizes of pictures, names of scenes, and numbers of surfaces with how they came to be so many, such as
// 2000-pieces. With the word growth the views, of a size each time, are rendered by turns.
let isGrowth = CommandLine.arguments.contains("growth")
let arguments = CommandLine.arguments.dropFirst().filter { $0 != "growth" }
let chosenSizes = arguments.compactMap { size($0) }
let chosenViews = arguments.filter { size($0) == nil }
let (vga, hd) = (ImageSize(width: 640, height: 480), ImageSize(width: 1280, height: 720))
let sizes = chosenSizes.isEmpty ? [vga, hd] : chosenSizes
let views =
    chosenViews.isEmpty
    ? [
        "draw", "room-walk", "20-surfaces", "200-surfaces", "2000-surfaces", "2000-pieces", "2000-places", "20-boxes",
        "2000-boxes",
    ]
    : chosenViews

func view(_ name: String, size: ImageSize) throws -> RenderedView {
    let parts = name.split(separator: "-")
    guard parts.count == 2, let count = Int(parts[0]), let growth = RenderedView.Growth(rawValue: String(parts[1]))
    else { return try RenderedView(scene: name, size: size) }
    return RenderedView(count, growth, size: size)
}

let head = "Milliseconds of processor time a frame, medians of "
if isGrowth {
    let rounds = 3
    print(head + "\(rounds * RenderedView.frameCount); growth from the first view's, medians of frames' ratios.")
    print("scene                size      raw     full  raw grew  full grew")
    for size in sizes { measureGrowth(of: try views.map { try view($0, size: size) }, rounds: rounds) }
} else {
    print(head + "\(RenderedView.frameCount - 1); frames a second by the clock.")
    print("scene                size      raw     full   ratio    first    fps 1    fps 2  speed-up")
    for size in sizes {
        for name in views { measure(try view(name, size: size)) }
    }
}
