// swift-tools-version: 6.0
// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that nothing that only benchmarks need reaches arsim's users. Build it for release:
//     swift run -c release --package-path Tools/Benchmarks Benchmarks
// ARSIM_MARCH=x86-64-v3 compiles both sides, Swift and C++, for that instruction set; without it, for the baseline.
let march = Context.environment["ARSIM_MARCH"].map { ["-Xcc", "-march=\($0)"] } ?? []

let package = Package(
    name: "arsim-benchmarks",
    dependencies: [
        .package(name: "arsim", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        .target(name: "Timing"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Timing", .product(name: "ARGeometry", package: "arsim"), .product(name: "Kernels", package: "arsim"),
            ],
            swiftSettings: [.unsafeFlags(march)]),
        // Looks into the simulator, so that arsim must be built for testing, too. From the repository's root:
        //     swift run -c release -Xswiftc -enable-testing --package-path Tools/Benchmarks RenderingBenchmarks
        .executableTarget(
            name: "RenderingBenchmarks", dependencies: ["Timing", .product(name: "ARSim", package: "arsim")],
            swiftSettings: [.unsafeFlags(march)]),
        // arsim's tracking against OpenCV's own functions:
        //     swift run -c release --package-path Tools/Benchmarks TrackingBenchmarks
        .target(
            name: "OpenCVFrontEnd", cxxSettings: [.unsafeFlags(["-O2", "-isystem", "/usr/include/opencv4"])],
            linkerSettings: ["core", "imgproc", "video", "features2d"].map { .linkedLibrary("opencv_\($0)") }),
        .executableTarget(
            name: "TrackingBenchmarks",
            dependencies: [
                "OpenCVFrontEnd", "Timing", .product(name: "ARSim", package: "arsim"),
                .product(name: "ARVision", package: "arsim"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: [.unsafeFlags(march)]),
        // The patch tracker against OpenCV's trackers, and the target tracker against ORB, on what is in ../shared/data:
        //     swift run -c release --package-path Tools/Benchmarks PatchBenchmarks
        .target(
            name: "OpenCVTrackers", cxxSettings: [.unsafeFlags(["-O2", "-isystem", "/usr/include/opencv4"])],
            linkerSettings: ["core", "imgproc", "video", "tracking", "features2d"].map {
                .linkedLibrary("opencv_\($0)")
            }),
        .executableTarget(
            name: "PatchBenchmarks",
            dependencies: [
                "OpenCVTrackers", "Timing", .product(name: "ARVision", package: "arsim"),
                .product(name: "ARTargets", package: "arsim"),
                .product(name: "ARRecording", package: "arsim"), .product(name: "ARFiles", package: "arsim"),
            ],
            swiftSettings: [.unsafeFlags(march)]),
        // Hit tests in worlds of up to 10,000 planes:
        //     swift run -c release --package-path Tools/Benchmarks WorldBenchmarks
        .executableTarget(
            name: "WorldBenchmarks",
            dependencies: [
                "Timing", .product(name: "ARWorld", package: "arsim"), .product(name: "ARRandom", package: "arsim"),
            ],
            swiftSettings: [.unsafeFlags(march)]),
        // What planes cost a frame in a session of ten minutes, by going recordings' rounds again and again:
        //     swift run -c release --package-path Tools/Benchmarks PlaneBenchmarks RECORDING…
        .executableTarget(
            name: "PlaneBenchmarks", dependencies: ["Timing", .product(name: "ARSim", package: "arsim")],
            swiftSettings: [.unsafeFlags(march)]),
        // arsim's rectangles and codes against OpenCV's edges and ZXing alone, in pictures:
        //     swift run -c release --package-path Tools/Benchmarks DetectionBenchmarks PICTURE…
        .target(
            name: "OpenCVEdges", cxxSettings: [.unsafeFlags(["-O2", "-isystem", "/usr/include/opencv4"])],
            linkerSettings: ["core", "imgproc"].map { .linkedLibrary("opencv_\($0)") }),
        .executableTarget(
            name: "DetectionBenchmarks",
            dependencies: [
                "OpenCVEdges", "Timing", .product(name: "ARVision", package: "arsim"),
                .product(name: "ARFiles", package: "arsim"), .product(name: "Kernels", package: "arsim"),
            ],
            swiftSettings: [.unsafeFlags(march)]),
        // arsim's faces against OpenCV's plain frontal cascades, on photographs and on the frames of recordings:
        //     ARSIM_DATA=… swift run -c release --package-path Tools/Benchmarks FaceBenchmarks mav0/cam0/data…
        .executableTarget(
            name: "FaceBenchmarks",
            dependencies: [
                "Timing", .product(name: "ARVision", package: "arsim"), .product(name: "ARFiles", package: "arsim"),
                .product(name: "Kernels", package: "arsim"),
            ],
            swiftSettings: [.unsafeFlags(march)]),
        // How well scores of image targets tell how often they are recognised:
        //     ARSIM_DATA=… swift run -c release --package-path Tools/Benchmarks TargetScoreTable
        .executableTarget(
            name: "TargetScoreTable",
            dependencies: [
                .product(name: "ARTargets", package: "arsim"), .product(name: "ARSim", package: "arsim"),
                .product(name: "ARRandom", package: "arsim"), .product(name: "ARFiles", package: "arsim"),
            ],
            swiftSettings: [.unsafeFlags(march)]),
        // What recognises image targets: how surely, how exactly and how fast, beside OpenCV's features; and the pictures:
        //     swift run -c release --package-path Tools/Benchmarks EmblemPictures PICTURES 12000 192
        //     swift run -c release --package-path Tools/Benchmarks TargetBenchmarks table PICTURES DATABASE 100
        .target(
            name: "OpenCVFeatures", cxxSettings: [.unsafeFlags(["-O2", "-isystem", "/usr/include/opencv4"])],
            linkerSettings: ["core", "features2d", "flann", "calib3d"].map { .linkedLibrary("opencv_\($0)") }),
        .executableTarget(
            name: "EmblemPictures",
            dependencies: [.product(name: "ARSim", package: "arsim"), .product(name: "ARFiles", package: "arsim")],
            swiftSettings: [.unsafeFlags(march)]),
        .executableTarget(
            name: "TargetBenchmarks",
            dependencies: [
                "OpenCVFeatures", "Timing", .product(name: "ARTargets", package: "arsim"),
                .product(name: "ARSim", package: "arsim"), .product(name: "ARFiles", package: "arsim"),
                .product(name: "ARRandom", package: "arsim"),
            ],
            swiftSettings: [.unsafeFlags(march)]),
        // What long strokes cost. Tools/compare-solids.py makes the same with trimesh:
        //     swift run -c release --package-path Tools/Benchmarks DrawingBenchmarks FOLDER
        .executableTarget(
            name: "DrawingBenchmarks", dependencies: ["Timing", .product(name: "ARDrawing", package: "arsim")],
            swiftSettings: [.unsafeFlags(march)]),
        // How accurate the tracker is on recorded motions in rendered scenes. From the repository's root:
        //     swift run -c release --package-path Tools/Benchmarks TrackingTable --help
        .executableTarget(
            name: "TrackingTable",
            dependencies: [
                "Timing", .product(name: "ARSim", package: "arsim"), .product(name: "ARRandom", package: "arsim"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: [.unsafeFlags(march)]),
        // How exactly points are followed in recordings that TrackingTable made. Looks into the simulator, so that arsim must be
        // built for testing, too:
        //     swift run -c release -Xswiftc -enable-testing --package-path Tools/Benchmarks FollowingTable RECORDING…
        .executableTarget(
            name: "FollowingTable",
            dependencies: [
                "Timing", .product(name: "ARSim", package: "arsim"), .product(name: "ARVision", package: "arsim"),
            ],
            swiftSettings: [.unsafeFlags(march)]),
    ],
    cxxLanguageStandard: .cxx17
)
