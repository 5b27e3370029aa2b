// swift-tools-version: 6.0
// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The engine's inner loops are unusable at -O0, so the package optimises itself in debug builds too, each module as a whole:
// its tests run twice as fast as with each file for itself, and a clean build takes less time. (Two threads, because one would
// write one object file, where SwiftPM looks for one of each source; batch mode is off, because SwiftPM asks for it and the
// compiler would warn that it makes no sense here.) SwiftPM refuses packages with unsafe flags as
// dependencies; they are therefore set only where arsim is the package being built.
let isRoot = !Context.packageDirectory.contains("/checkouts/")
// The instruction set is part of the result: two machines agree when they run the same one (for example x86-64-v3).
let march = Context.environment["ARSIM_MARCH"].map { ["-march=\($0)"] } ?? []
let marchSettings: [SwiftSetting] = isRoot ? [.unsafeFlags(march.flatMap { ["-Xcc", $0] })] : []
let wholeModule = ["-wmo", "-disable-batch-mode", "-num-threads", "2"]
let swiftSettings: [SwiftSetting] =
    marchSettings + (isRoot ? [.unsafeFlags(["-O"] + wholeModule, .when(configuration: .debug))] : [])
let compactSettings: [SwiftSetting] =
    marchSettings + (isRoot ? [.unsafeFlags(["-Osize"] + wholeModule, .when(configuration: .debug))] : [])
let plainSettings: [SwiftSetting] =
    marchSettings + (isRoot ? [.unsafeFlags(wholeModule, .when(configuration: .debug))] : [])
let cxxSettings: [CXXSetting] =
    [.headerSearchPath("sys"), .define("NDEBUG")] + (isRoot ? [.unsafeFlags(["-O2"] + march)] : [])

// Modules, parted by spaces, whose lines are counted while their own tests run (Tools/check-coverage): the package then has
// nothing but these and what they are made of. SwiftPM's own --enable-code-coverage counts in all modules, in the inner loops too;
// and all the tests take four times as long when they count in the geometry that everything calls.
let countedModules = Context.environment["ARSIM_COVERAGE"]?.split(separator: " ").map(String.init) ?? []
// They are not optimised as a whole: small functions would then run in their callers' modules, where nobody counts.
let countedSettings: [SwiftSetting] =
    marchSettings
    + [
        .unsafeFlags(["-O"], .when(configuration: .debug)),
        .unsafeFlags(["-profile-generate", "-profile-coverage-mapping"]),
    ]

func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    let isCounted = isRoot && countedModules.contains(name)
    return .target(
        name: name, dependencies: dependencies, exclude: exclude,
        swiftSettings: isCounted ? countedSettings : swiftSettings,
        linkerSettings: isCounted ? [.unsafeFlags(["-profile-generate"])] : [])
}

/// A C++ target behind one C header, its bodies over system libraries. `sys` holds links to the libraries' headers.
func facade(_ name: String, exclude: [String] = [], libraries: [String]) -> Target {
    .target(
        name: name, exclude: exclude, cxxSettings: cxxSettings, linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// A module of tests. Those that compute little themselves run as fast when they are not optimised, and are built in half the time; the
/// others when they are optimised for size, which is done sooner.
func tests(_ name: String, _ dependencies: [Target.Dependency], computesMuch: Bool = true) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"],
        swiftSettings: computesMuch ? compactSettings : plainSettings)
}

let package = Package(
    name: "arsim",
    products: [
        .library(name: "ARGeometry", targets: ["ARGeometry"]),
        // What Tools/Benchmarks compares ARGeometry with, and what it measures besides.
        .library(name: "Kernels", targets: ["CSolve", "CVision", "CCodes", "CFaces", "CFeatures"]),
        .library(name: "ARVision", targets: ["ARVision"]),
        .library(name: "ARTargets", targets: ["ARTargets"]),
        .library(name: "ARWorld", targets: ["ARWorld"]),
        .library(name: "ARDrawing", targets: ["ARDrawing"]),
        .library(name: "ARFiles", targets: ["ARFiles"]),
        .library(name: "ARRecording", targets: ["ARRecording"]),
        .library(name: "ARRandom", targets: ["ARRandom"]),
        .library(name: "ARSim", targets: ["ARSim"]),
        .executable(name: "arsim", targets: ["ARSimCommand"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    ],
    targets: [
        // The maths, the values that cross the modules' borders, and the truth that only evaluation may see.
        module("ARGeometry"),
        module("ARSensing", ["ARGeometry"]),
        // Chance that can be repeated.
        module("ARRandom"),
        module("ARTruth", ["ARSensing"]),

        // From poses to a world that answers.
        module("ARTracking", ["ARSensing", "ARVision", "CSolve"]),
        module("ARWorld", ["ARTracking", "CVision"]),

        // Kernels in C++. Of OpenCV only the modules in use are linked: the others cost start-up time.
        facade("CVision", exclude: ["sys"], libraries: ["opencv_core", "opencv_imgproc", "opencv_calib3d"]),
        facade("CSolve", libraries: []),
        // ZXing reads codes.
        facade("CCodes", libraries: ["ZXing"]),
        // What follows patches: windows as features, filters, the alignment of templates.
        facade("CPatches", exclude: ["sys"], libraries: ["opencv_core", "opencv_imgproc"]),
        // Cascades and a network find faces.
        facade("CFaces", exclude: ["sys"], libraries: ["opencv_core", "opencv_imgproc", "opencv_objdetect"]),
        module("ARVision", ["ARSensing", "ARRandom", "CVision", "CCodes", "CPatches", "CFaces"]),
        // Pictures that are recognised. The kernels need no library.
        facade("CFeatures", libraries: []),
        module("ARTargets", ["ARVision", "ARFiles", "ARRandom", "CFeatures", "CPatches"]),
        // Pictures and text files, and the recordings made of them.
        facade("CImageCodec", libraries: ["png", "turbojpeg"]),
        module("ARFiles", ["ARSensing", "CImageCodec", .product(name: "Yams", package: "Yams")]),
        module("ARFaults", ["ARTruth", "ARFiles", "ARRandom"]),
        module("ARRecording", ["ARFaults"]),

        // Scenes, the codes that are printed in them, and the ray casting through which they are seen.
        facade("CRaycast", libraries: ["embree3"]),
        facade("CBarcode", libraries: ["qrencode"]),
        module(
            "ARSimulation", ["ARRecording", "CRaycast", "CBarcode", .product(name: "Yams", package: "Yams")]),

        // What the pen draws becomes solids.
        facade("CPolygon", libraries: ["polyclipping"]),
        module("ARDrawing", ["ARSensing", "ARFiles", "CPolygon"]),

        // How good an estimate is.
        module("AREvaluation", ["ARTruth", "ARFiles"]),

        // The session that wires them, and the program.
        module(
            "ARSim",
            ["ARRecording", "ARSimulation", "ARVision", "ARTargets", "ARWorld", "ARDrawing", "AREvaluation", "CVision"]),
        .executableTarget(
            name: "ARSimCommand",
            dependencies: ["ARSim", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: swiftSettings),

        .target(
            name: "TestSupport", dependencies: ["ARGeometry"], path: "Tests/TestSupport", swiftSettings: swiftSettings),
        .target(
            name: "VisionTestSupport", dependencies: ["ARGeometry", "CVision"], path: "Tests/VisionTestSupport",
            swiftSettings: swiftSettings),
        tests("ARGeometryTests", ["ARGeometry"], computesMuch: false),
        tests("CSolveTests", ["CSolve", "ARGeometry"], computesMuch: false),
        tests("ARSensingTests", ["ARSensing"], computesMuch: false),
        tests("ARTrackingTests", ["ARTracking", "ARSimulation", "CSolve"]),
        tests("ARWorldTests", ["ARWorld"]),
        tests("CVisionTests", ["CVision", "ARGeometry", "VisionTestSupport"]),
        tests(
            "ARVisionTests",
            ["ARVision", "ARSimulation", "ARRecording", "CBarcode", "CCodes", "CFaces", "VisionTestSupport"]),
        tests("ARTargetsTests", ["ARRecording", "ARTargets", "ARSimulation"]),
        tests("ARDrawingTests", ["ARDrawing"]),
        tests("CPatchesTests", ["CPatches"]),
        tests("CPolygonTests", ["CPolygon", "ARGeometry"]),
        tests("ARFilesTests", ["ARFiles"], computesMuch: false),
        tests("AREvaluationTests", ["AREvaluation", "ARRecording"], computesMuch: false),
        tests("ARFaultsTests", ["ARFaults", "ARRecording"], computesMuch: false),
        tests("ARSimulationTests", ["ARSimulation", "ARRecording", "CVision"]),
        tests("ARSimTests", ["ARSim", "CVision"], computesMuch: false),
        tests("ARRecordingTests", ["ARRecording"], computesMuch: false),
        tests("ARSimCommandTests", ["ARSimCommand"], computesMuch: false),
    ],
    cxxLanguageStandard: .cxx17
)

if !countedModules.isEmpty {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var kept: Set<String> = []
    func keep(_ name: String) {
        guard let target = targets[name], kept.insert(name).inserted else { return }
        for case .byNameItem(let dependency, _) in target.dependencies { keep(dependency) }
    }
    for module in countedModules { keep("\(module)Tests") }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = []
}
