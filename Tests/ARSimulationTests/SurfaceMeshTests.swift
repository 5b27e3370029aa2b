// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct SurfaceMeshTests {
    private static let cylinder =
        SurfaceMesh.cylinderSides(radius: 0.3, height: 0.7) + .cylinderEnds(radius: 0.3, height: 0.7)
    private static let sheet =
        SurfaceMesh.sheet(picture: Vector2(0.2, 0.3), border: 0.05, thickness: 0.01)
        + .rectangle(size: Vector2(0.2, 0.3))

    /// Each closed mesh, with the volume of the body that it approximates from inside, and how much of it may be lost.
    static let solids: [(name: String, mesh: SurfaceMesh, volume: Double, loss: Double)] = [
        ("sphere", .sphere(radius: 0.4), 4 / 3 * .pi * 0.064, 3e-3),
        ("cylinder", cylinder, .pi * 0.09 * 0.7, 2e-3),
        ("head", HeadShape.mesh, HeadShape.mesh.triangleMesh.signedVolume, 0),
        ("neck", SurfaceMesh(HeadShape.neck), SurfaceMesh(HeadShape.neck).triangleMesh.signedVolume, 0),
        ("shoulders", SurfaceMesh(HeadShape.shoulders), SurfaceMesh(HeadShape.shoulders).triangleMesh.signedVolume, 0),
    ]

    @Test(arguments: solids.map(\.name)) func solidsAreClosedAndLookOutwards(name: String) throws {
        let solid = try #require(Self.solids.first { $0.name == name })
        let mesh = solid.mesh.triangleMesh.mergingPositions(roundedTo: 1e-9)
        #expect(mesh.topology.isSolid, "\(mesh.topology)")
        #expect(mesh.topology.componentCount == 1)
        #expect(
            mesh.signedVolume > 0 && mesh.signedVolume <= solid.volume
                && mesh.signedVolume >= solid.volume * (1 - solid.loss))
    }

    /// The front of a print and its sheet have the area of a box; parts of them meet within edges, so that no topology holds.
    @Test func aSheetWithItsPictureIsABox() {
        let mesh = Self.sheet.triangleMesh
        expectClose(mesh.signedVolume, 0.3 * 0.4 * 0.01, tolerance: 1e-12)
        expectClose(mesh.area, 2 * (0.3 * 0.4 + 0.3 * 0.01 + 0.4 * 0.01), tolerance: 1e-12)
    }

    /// Normals are unit vectors on the triangles' front, and textures are not mirrored: u runs to the right and v down.
    @Test(arguments: ["sphere", "cylinder", "head", "sheet"]) func normalsAndTexturesFaceTheFront(name: String) throws {
        let mesh = try name == "sheet" ? Self.sheet : #require(Self.solids.first { $0.name == name }).mesh
        for triangle in mesh.triangles {
            let (i, j, k) = (Int(triangle.x), Int(triangle.y), Int(triangle.z))
            let areaNormal = (mesh.positions[j] - mesh.positions[i]).cross(mesh.positions[k] - mesh.positions[i])
            for corner in [i, j, k] {
                expectClose(mesh.normals[corner].length, 1, tolerance: 1e-12)
                #expect(mesh.normals[corner].dot(areaNormal) > 0)
            }
            let (a, b, c) = (mesh.textureCoordinates[i], mesh.textureCoordinates[j], mesh.textureCoordinates[k])
            #expect((b - a).cross(c - a) < 0)
        }
    }

    /// Of random triangles, each gets samples by its area, and the samples lie in it.
    @Test func samplesAreSpreadByArea() {
        var mesh =
            SurfaceMesh.rectangle(size: Vector2(1, 1)) + RigidTransform(translation: Point3(0, 1, 0))
            * .rectangle(size: Vector2(2, 1.5))
        mesh.normals[0] = Vector3(0, 1, 0)
        let samples = mesh.samples(count: 4000)
        #expect(samples.count == 4000)
        expectClose(samples.reduce(0) { $0 + $1.area }, 4, tolerance: 1e-9)
        #expect(samples.count { $0.position.y == 0 } == 1000)
        #expect(samples.allSatisfy { abs($0.position.x) <= 1 && abs($0.position.z) <= 0.75 })
        // A quarter of the samples lies in each quarter, within the few that the sequence may misplace.
        for (x, z) in [(-1.0, -1.0), (-1, 1), (1, -1), (1, 1)] {
            let count = samples.count { $0.position.y == 1 && $0.position.x * x > 0 && $0.position.z * z > 0 }
            #expect(abs(count - 750) <= 15, "\(count)")
        }
    }

    /// Charts along the axes lay every triangle on a texture once, undistorted in its own plane, and not mirrored.
    @Test func chartsShowEveryTriangle() throws {
        let box = TriangleMesh(OrientedBox(AxisAlignedBox(minimum: Point3(-1, -2, -3), maximum: Point3(1, 2, 3))))
        let charts = ProjectedChart.alongAxes(of: box, cornerNormals: box.cornerNormals)
        #expect(charts.count == 6)
        expectClose(charts.reduce(0) { $0 + $1.mesh.triangleMesh.area }, box.area, tolerance: 1e-12)
        for chart in charts {
            expectClose(chart.extent.x * chart.extent.y, chart.mesh.triangleMesh.area, tolerance: 1e-12)
            for triangle in chart.mesh.triangles {
                let places = (0..<3).map { chart.mesh.textureCoordinates[Int(triangle[$0])] }
                #expect((places[1] - places[0]).cross(places[2] - places[0]) < 0)
            }
        }
    }

    /// The face's outline lies on the head, and its box is as wide as the head and reaches from the brows to the chin.
    @Test func theFaceLiesOnTheHead() throws {
        let outline = HeadShape.faceOutline
        #expect(outline.count == 48)
        let bounds = try #require(AxisAlignedBox(containing: outline))
        let head = try #require(AxisAlignedBox(containing: HeadShape.mesh.positions))
        expectClose(head.size.y, HeadShape.height, tolerance: 0.02)
        expectClose(bounds.maximum.y, HeadShape.faceBox.top, tolerance: 0.003)
        expectClose(bounds.minimum.y, HeadShape.faceBox.bottom, tolerance: 0.006)
        #expect(bounds.minimum.x > head.minimum.x && bounds.maximum.x < head.maximum.x)
        expectClose(bounds.size.x, HeadShape.faceBox.right - HeadShape.faceBox.left, tolerance: 0.02)
        #expect(HeadShape.faceSamples.allSatisfy { $0.normal.z > 0 || $0.position.z > 0 })
    }
}
