// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARSensing
import ARTruth
import Foundation
import TestSupport
import Testing

@Suite struct CodeEvaluationTests {
    /// Limits that the code's modules, of less than a pixel here, keep.
    private var options: WorldEvaluationOptions {
        var options = WorldEvaluationOptions()
        options.leastModulePixels = 0.2
        return options
    }

    @Test func theTruthHasNoError() throws {
        let codes = try #require(SampleWorld.evaluate(SampleWorld.trueAnswers(), options: options).codes)
        #expect(codes.all.recall == 1 && codes.all.secondsToRead == 0 && codes.wrongPayloadCount == 0)
        #expect(codes.codes.map(\.name) == ["card"])
        expectClose(try #require(codes.all.cornerPixels).maximum, 0, tolerance: 1e-9)
    }

    @Test func smallModulesNeedNotBeRead() throws {
        var answers = SampleWorld.trueAnswers()
        for index in answers.indices { answers[index].codes = [] }
        #expect(SampleWorld.evaluate(answers).codes?.all.recall == nil)
        #expect(SampleWorld.evaluate(answers, options: options).codes?.all.recall == 0)
        // The truth's own number of modules counts, else that of the options.
        var options = self.options
        options.modulesAcross = 1000
        #expect(SampleWorld.evaluate(answers, options: options).codes?.all.expectedCount == answers.count)
        let unknown = SampleWorld.evaluate(answers, options: options) { $0.codes[0].modulesAcross = nil }
        #expect(unknown.codes?.all.expectedCount == 0)
    }

    @Test func wrongTextsAndCornersAreFound() throws {
        var answers = SampleWorld.trueAnswers()
        for index in answers.indices {
            let quad = try #require(answers[index].codes?.first).quad
            // Not read for ten frames; then a wrong text, then corners in another order.
            switch index {
            case ..<10: answers[index].codes = []
            case ..<15: answers[index].codes = [CodeAnswer(payload: "Q♠", symbology: "qr", quad: quad)]
            case ..<20: answers[index].codes = [CodeAnswer(payload: "Q♥", symbology: "qr", quad: quad.turned(by: 2))]
            default: break
            }
        }
        let codes = try #require(SampleWorld.evaluate(answers, options: options).codes)
        #expect(codes.wrongPayloadCount == 5)
        #expect(codes.all.foundCount == 20 && codes.all.expectedCount == 40)
        expectClose(try #require(codes.all.secondsToRead), 2, tolerance: 1e-9)
    }
}
