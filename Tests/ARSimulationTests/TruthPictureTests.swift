// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth
import TestSupport
import Testing

@testable import ARSimulation

/// Depths and ids of every pixel: they lie on what the scene consists of, at the instant of their row.
@Suite struct TruthPictureTests {
    /// A floor, a box that slides, a print and a ball, before a camera that moves and turns.
    private static let yaml = """
        format: arsim-scene/1
        name: pictures
        summary: Things at known places.
        seed: 4
        duration_s: 1
        camera:
          {size_px: [320, 240], rate_hz: 30, focal_px: [250, 250], principal_point_px: [159.5, 119.5], readout_ms: 30}
        camera_path:
          interval_s: 0.25
          waypoints:
            - {position_m: [-0.1, 0.6, 0.5], look_at_m: [0, 0, 0]}
            - {position_m: [0.1, 0.65, 0.45], look_at_m: [0.05, 0, 0], roll_rad: 0.1}
            - {position_m: [-0.05, 0.6, 0.55], look_at_m: [-0.05, 0.05, 0], roll_rad: -0.1}
            - {position_m: [0.1, 0.6, 0.5], look_at_m: [0, 0, 0]}
            - {position_m: [0, 0.7, 0.5], look_at_m: [0, 0, 0.05], roll_rad: 0.2}
        materials:
          - {name: grey, kind: plain, color_srgb: [0.5, 0.5, 0.5]}
          - {name: emblem, kind: emblem, emblem: 5, width_px: 64}
        quads:
          - {name: floor, center_m: [0, 0, 0], size_m: [0.8, 0.8], material: grey}
        boxes:
          - name: box
            center_m: [-0.1, 0.06, 0]
            size_m: [0.08, 0.04, 0.06]
            turn_rad: 0.3
            material: grey
            motion: {swing: {offset_m: [0.2, 0, 0.1], period_s: 1}}
        spheres:
          - {name: ball, center_m: [0.15, 0.1, 0.1], radius_m: 0.05, material: grey}
        prints:
          - {name: print, center_m: [0.02, 0.001, 0.15], size_m: [0.12, 0.12], border_m: 0.01, material: emblem}
        """

    private static func session(_ change: (inout Scene) -> Void = { _ in }) throws -> SceneSession {
        var scene = try Scene(yaml: yaml, file: "pictures")
        change(&scene)
        var session = try SceneSession(scene: scene, threads: 2)
        session.truthPictures = [.depth, .objects]
        return session
    }

    private static func truth(_ session: SceneSession, atFrame number: Int) throws -> FrameTruth {
        var truths = session.makeTruthStream()
        return try #require(try truths.truth(at: session.timestamp(ofFrame: number)))
    }

    /// Seen through the lens at the depth and with the row's own pose, each pixel lies on the surface of the thing that the
    /// other picture names.
    @Test(arguments: Scene.CameraSettings.Lens.allCases)
    func depthsLieOnTrueSurfaces(lens: Scene.CameraSettings.Lens) throws {
        let session = try Self.session { scene in
            scene.camera.lens = lens
            if lens == .radialTangential { scene.camera.distortion = [-0.2, 0.05, 2e-4, -1e-4, 0] }
            if lens == .equidistant { scene.camera.distortion = [-0.01, 0.004, 0, 0] }
        }
        let names = Dictionary(uniqueKeysWithValues: session.sessionTruth().objects.map { ($0.id, $0.name) })
        let box = try #require(session.stage.object(named: "box"))
        var seen: Set<String> = []
        for number in [2, 11, 20] {
            let pictures = try Self.truth(session, atFrame: number).pictures
            let (depth, objects) = (try #require(pictures.depth), try #require(pictures.objects))
            let instant = session.timestamp(ofFrame: number).seconds(since: SceneSession.start)
            var worst: [String: Double] = [:]
            for row in 0..<240 {
                let seconds = instant + 0.030 * (Double(row) / 239 - 0.5)
                let worldFromOptical = session.worldFromCamera(at: seconds) * .cameraFromOptical
                let boxFromWorld = box.worldFromObject(at: seconds).inverse
                for column in 0..<320 {
                    let index = row * 320 + column
                    guard let name = names[Int(objects.ids[index])] else {
                        #expect(objects.ids[index] == 0 && depth.meters[index] == 0)
                        continue
                    }
                    let view = try #require(
                        session.camera.camera.unproject(PixelPoint(Double(column), Double(row))))
                    let point = worldFromOptical * (view * (Double(depth.meters[index]) / view.z))
                    let distance: Double
                    switch name {
                    case "floor": distance = abs(point.y)
                    // The sheet is 0.3 mm thick.
                    case "print": distance = max(abs(point.y - 0.00085) - 0.00015, 0)
                    case "ball": distance = abs((point - Point3(0.15, 0.1, 0.1)).length - 0.05)
                    default:
                        let inBox = boxFromWorld * point
                        distance = abs(
                            [abs(inBox.x) - 0.04, abs(inBox.y) - 0.02, abs(inBox.z) - 0.03].max() ?? .infinity)
                    }
                    worst[name] = max(worst[name] ?? 0, distance)
                }
            }
            seen.formUnion(worst.keys)
            for (name, distance) in worst {
                // Single precision at 0.7 m. The ball is a mesh, whose faces lie a little inside of it. A swing is no even
                // motion: in half a readout it strays from one by a ω² t² / 2 = 0.22 · 39 · 0.015² / 2, a millimetre.
                let tolerance = ["ball": 6e-4, "box": 1e-3][name] ?? 2e-6
                #expect(distance < tolerance, "\(lens), frame \(number), \(name)")
            }
        }
        #expect(seen == ["floor", "box", "ball", "print"])
    }

    /// Without the readout's motion the depth would be somewhere else: the test above can fail.
    @Test func theReadoutMatters() throws {
        let rolling = try Self.truth(Self.session(), atFrame: 11).pictures.depth
        let global = try Self.truth(Self.session { $0.camera.readoutMilliseconds = 0 }, atFrame: 11).pictures.depth
        let (a, b) = (try #require(rolling).meters, try #require(global).meters)
        #expect(zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) } > 0.01)
    }

    /// The truth of a frame that has just been rendered is what the renderer saw; painted alone it is the same, on one thread
    /// as on two, and so it is in pictures with motion blur.
    @Test(arguments: [false, true]) func theyAreThoseOfTheRendering(hasMotionBlur: Bool) throws {
        let session = try Self.session { scene in
            scene.camera.hasMotionBlur = hasMotionBlur
            scene.camera.exposureMilliseconds = 10
        }
        let camera = session.makeCamera()
        for number in [5, 17] {
            _ = session.image(ofFrame: number, by: camera)
            let timestamp = session.timestamp(ofFrame: number)
            let rendered = try #require(
                session.lastTruthPictures.pictures(of: session.truthPictures, at: timestamp))
            #expect(session.lastTruthPictures.pictures(of: [.depth], at: timestamp) == nil)
            for threads in [1, 2] {
                var alone = try SceneSession(scene: session.scene, threads: threads)
                alone.truthPictures = session.truthPictures
                #expect(try Self.truth(alone, atFrame: number).pictures == rendered)
            }
            let things = session.stage.objects
            let objects = camera.rendering(of: session.shot(at: timestamp)).objects
            for (id, surface) in zip(try #require(rendered.objects).ids, objects) {
                #expect(id == 0 ? surface < 0 : things[Int(id) - 1].objectNumbers.contains(surface))
            }
        }
    }

    /// A camera paints what was asked for when it was made, and whoever asks for more later gets all of it.
    @Test func aCameraFromBeforeKeepsNothingIncomplete() throws {
        var session = try Self.session()
        let both = session.truthPictures
        session.truthPictures = [.depth]
        let camera = session.makeCamera()
        session.truthPictures = both
        _ = session.image(ofFrame: 5, by: camera)
        let kept = session.lastTruthPictures.pictures(of: [.depth], at: session.timestamp(ofFrame: 5))
        let pictures = try Self.truth(session, atFrame: 5).pictures
        #expect(pictures.objects != nil)
        #expect(kept?.depth == pictures.depth)
    }

    /// Where a picture is the mean over parts of its pixels nothing looks through their centres, and the truth does all the
    /// same.
    @Test func partsOfPixelsAreNoTruth() throws {
        let session = try Self.session { $0.camera.samplesPerSide = 2 }
        _ = session.image(ofFrame: 5)
        #expect(
            session.lastTruthPictures.pictures(of: session.truthPictures, at: session.timestamp(ofFrame: 5)) == nil)
        #expect(try Self.truth(session, atFrame: 5).pictures == Self.truth(Self.session(), atFrame: 5).pictures)
    }

    /// The box slides over the print while the rows are read: how much of the print is seen is what the picture of ids shows
    /// against the same picture without the box, and not what is seen at the frame's instant.
    @Test func visibilityIsThatOfTheRow() throws {
        func covered(readout: Double) throws -> (truth: Double, picture: Double) {
            let change = { (scene: inout Scene) in
                scene.camera.readoutMilliseconds = readout
                scene.cameraPath.waypoints = scene.cameraPath.waypoints.map { _ in scene.cameraPath.waypoints[0] }
                scene.boxes[0].center = Point3(0.02, 0.02, 0.17)
                scene.boxes[0].size = Vector3(0.1, 0.02, 0.14)
                scene.boxes[0].turnRadians = 0
                // At the frame's instant, 1/3 s, it is on its way at some 8 m/s.
                scene.boxes[0].motion?.swing?.offset = Vector3(0.4, 0, 0)
                scene.boxes[0].motion?.swing?.periodSeconds = 1.0 / 3
            }
            let with = try Self.truth(Self.session(change), atFrame: 10)
            let without = try Self.truth(
                Self.session {
                    change(&$0)
                    $0.boxes = []
                }, atFrame: 10)
            func pixels(_ truth: FrameTruth) throws -> Double {
                // The print is the last thing.
                let ids = try #require(truth.pictures.objects).ids
                return Double(ids.count { $0 == ids.max() })
            }
            return (with.rectangles[0].corners.visibleFraction, try pixels(with) / pixels(without))
        }
        let rolling = try covered(readout: 30)
        let global = try covered(readout: 0)
        #expect(abs(rolling.truth - rolling.picture) < 0.05)
        #expect(abs(global.truth - global.picture) < 0.05)
        #expect(abs(rolling.truth - global.truth) > 0.1)
    }

    /// What is not asked for is not there.
    @Test func theyComeOnDemand() throws {
        var session = try Self.session()
        session.truthPictures = [.depth]
        #expect(try Self.truth(session, atFrame: 1).pictures.objects == nil)
        #expect(session.sessionTruth().objects.isEmpty)
        session.truthPictures = []
        #expect(try Self.truth(session, atFrame: 1).pictures == TruthPictures())
        #expect(
            try Self.session().sessionTruth().objects.map(\.kind) == ["quad", "box", "sphere", "print"])
    }
}
