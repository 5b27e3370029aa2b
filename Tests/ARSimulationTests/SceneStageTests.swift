// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct SceneStageTests {
    private static let session = Result { try withSceneOfThings { try SceneSession(scene: $0, threads: 1) } }
    private static let times = [0.0, 0.35, 0.9, 1.7]

    /// What the truth says of a thing's points is what the picture shows: pixels of samples that nothing hides belong to the
    /// thing's own surfaces.
    @Test(arguments: times) func samplesAreSeenWhereTheyAre(seconds: Double) throws {
        let session = try Self.session.get()
        let (stage, size) = (session.stage, session.scene.camera.size)
        let shot = session.shot(at: seconds)
        let renderer = Renderer(model: stage.model, camera: session.scene.camera.model, size: size, threads: 1)
        renderer.render(shot, into: RadianceImage(size: size))
        let objects = renderer.objects
        let raycaster = stage.makeRaycaster()
        stage.place(shot, in: raycaster)
        let worldFromCamera = session.worldFromCamera(at: seconds)
        let opticalFromWorld = RigidTransform.opticalFromCamera * worldFromCamera.inverse
        for object in stage.objects {
            var (seen, own) = (0, 0)
            for sample in object.surfaceSamples(at: seconds) {
                let toCamera = worldFromCamera.translation - sample.position
                guard sample.normal.dot(toCamera) > 0.3 * toCamera.length,
                    let pixel = session.scene.camera.model.project(opticalFromWorld * sample.position),
                    session.scene.camera.size.contains(pixel),
                    !raycaster.isBlocked(
                        from: worldFromCamera.translation, to: sample.position, margin: 0.01, time: 0.5)
                else { continue }
                seen += 1
                let number = objects[Int(pixel.y.rounded()) * size.width + Int(pixel.x.rounded())]
                if object.objectNumbers.contains(number) { own += 1 }
            }
            // Samples at the rim may share their pixel with what lies behind.
            #expect(Double(own) >= 0.85 * Double(seen), "\(object.name): \(own) of \(seen)")
            if ["slab", "print", "flag", "head", "ball"].contains(object.name) { #expect(seen > 10, "\(object.name)") }
        }
    }

    @Test func thingsHaveTheirOwnSurfaces() throws {
        let stage = try Self.session.get().stage
        #expect(
            stage.objects.map(\.name) == [
                "slab", "room.floor", "room.north", "room.south", "room.east", "room.west", "room.ceiling", "box",
                "tin",
                "ball", "cube", "print", "flag", "head",
            ])
        // One after the other, without gaps.
        #expect(stage.objects.flatMap(\.objectNumbers) == (0..<Int32(stage.model.surfaces.count)).map { $0 })
        #expect(stage.object(named: "cube")?.objectNumbers.count == 6)
        #expect(stage.object(named: "nothing") == nil)
        #expect(stage.movements(from: 0, to: 1).count == stage.model.objects(.moving).count)
        #expect(stage.deformations(from: 0, to: 0).count == stage.model.objects(.deforming).count)
    }

    /// Top left, top right, bottom right, bottom left, as one faces the picture.
    @Test(arguments: times) func cornersGoAroundThePicture(seconds: Double) throws {
        let stage = try Self.session.get().stage
        for name in ["slab", "print"] {
            let object = try #require(stage.object(named: name))
            let corners = try #require(object.corners(at: seconds))
            let pose = object.worldFromObject(at: seconds)
            let size = try #require(object.pictureSize)
            expectClose(corners[1] - corners[0], pose.rotation * Vector3(size.x, 0, 0), tolerance: 1e-12)
            expectClose(corners[3] - corners[0], pose.rotation * Vector3(0, 0, size.y), tolerance: 1e-12)
            let middle = (corners[0] + corners[1] + corners[2] + corners[3]) / 4
            expectClose(middle, pose.translation, tolerance: 1e-12)
        }
        let flag = try #require(stage.object(named: "flag"))
        let corners = try #require(flag.corners(at: seconds))
        // At the pole the cloth stays; at rest its top is up and its front faces the camera.
        expectClose(corners[0], Point3(-0.9, 1.7, -0.4), tolerance: 1e-9)
        expectClose(corners[3], Point3(-0.9, 1.3, -0.4), tolerance: 1e-9)
        #expect(corners[1].x > -0.4 && corners[2].x > -0.4 && corners[1].y > corners[2].y)
        #expect(stage.object(named: "ball")?.corners(at: 0) == nil)
    }

    @Test func headsTurnAndHaveAFace() throws {
        let stage = try Self.session.get().stage
        let head = try #require(stage.object(named: "head"))
        let pose = head.worldFromObject(at: 0.7)
        #expect(pose != head.worldFromObject(at: 0))
        #expect(head.faceOutline == HeadShape.faceOutline)
        #expect(stage.object(named: "ball")?.faceOutline.isEmpty == true)
    }

    /// Patterns that would need more memory than there may be get larger texels, all of them alike.
    @Test func texturesAreBounded() throws {
        let scene = try Scene(yaml: smallScene, file: "small")
        let plans = (0..<300).map { number in
            SurfacePlan(
                shape: .rectangle(worldFromSurface: .identity, size: Vector2(1, 1)),
                look: .material("squares", extent: Vector2(1, 1), pattern: "quad \(number)"))
        }
        // A hundred texels along each side, three million in all, are asked for.
        let surfaces = try StageTextures.surfaces(plans, scene: scene, threads: 1, texelBudget: 1_000_000)
        let sizes = surfaces.map { surface in
            guard case .rectangle(let rectangle) = surface else { return 0 }
            return rectangle.texture.size.width * rectangle.texture.size.height
        }
        let texels = sizes.reduce(0, +)
        // Sides are rounded up to a multiple of sixteen texels.
        #expect(texels > 700_000 && texels < 1_500_000, "\(texels)")
        #expect(Set(sizes).count == 1)
    }
}
