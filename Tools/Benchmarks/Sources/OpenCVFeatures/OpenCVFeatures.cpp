// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "OpenCVFeatures.h"

#include <algorithm>
#include <opencv2/calib3d.hpp>
#include <opencv2/features2d.hpp>
#include <vector>

struct OpenCVRecognizer {
    OpenCVMethod method;
    cv::Ptr<cv::Feature2D> features;
    cv::Ptr<cv::FlannBasedMatcher> matcher;
    std::vector<std::vector<cv::KeyPoint>> points;
    std::vector<cv::Mat> descriptors;
    int32_t feature_limit;

    void describe(const cv::Mat &picture, std::vector<cv::KeyPoint> &found, cv::Mat &described) const {
        features->detect(picture, found);
        // AKAZE and BRISK have no limit of their own.
        cv::KeyPointsFilter::retainBest(found, feature_limit);
        features->compute(picture, found, described);
        if (method != OPENCV_ROOT_SIFT) return;
        for (int row = 0; row < described.rows; ++row) {
            cv::Mat line = described.row(row);
            const double sum = cv::norm(line, cv::NORM_L1);
            if (sum > 0) line /= sum;
            cv::sqrt(line, line);
        }
    }
};

namespace {

cv::Ptr<cv::Feature2D> make_features(OpenCVMethod method, int32_t feature_limit) {
    switch (method) {
    case OPENCV_ORB: return cv::ORB::create(feature_limit);
    case OPENCV_AKAZE: return cv::AKAZE::create();
    case OPENCV_BRISK: return cv::BRISK::create();
    default: return cv::SIFT::create(feature_limit);
    }
}

cv::Ptr<cv::FlannBasedMatcher> make_matcher(OpenCVMethod method) {
    if (method == OPENCV_SIFT || method == OPENCV_ROOT_SIFT)
        return cv::makePtr<cv::FlannBasedMatcher>(
            cv::makePtr<cv::flann::KDTreeIndexParams>(4), cv::makePtr<cv::flann::SearchParams>(32));
    return cv::makePtr<cv::FlannBasedMatcher>(
        cv::makePtr<cv::flann::LshIndexParams>(12, 20, 2), cv::makePtr<cv::flann::SearchParams>(32));
}

cv::Mat grey(const uint8_t *pixels, int32_t width, int32_t height) {
    return cv::Mat(height, width, CV_8UC1, const_cast<uint8_t *>(pixels));
}

} // namespace

int32_t opencv_describe_orb(const uint8_t *pixels, int32_t width, int32_t height, int32_t feature_limit) {
    cv::setNumThreads(1);
    std::vector<cv::KeyPoint> points;
    cv::Mat descriptors;
    cv::ORB::create(feature_limit)->detectAndCompute(grey(pixels, width, height), cv::noArray(), points, descriptors);
    return int32_t(points.size());
}

OpenCVRecognizer *opencv_recognizer_create(OpenCVMethod method, int32_t feature_limit) {
    cv::setNumThreads(1);
    cv::setRNGSeed(1);
    return new OpenCVRecognizer{
        method, make_features(method, feature_limit), make_matcher(method), {}, {}, feature_limit};
}

void opencv_recognizer_destroy(OpenCVRecognizer *recognizer) { delete recognizer; }

void opencv_recognizer_add(OpenCVRecognizer *recognizer, const uint8_t *pixels, int32_t width, int32_t height) {
    recognizer->points.emplace_back();
    recognizer->descriptors.emplace_back();
    recognizer->describe(grey(pixels, width, height), recognizer->points.back(), recognizer->descriptors.back());
}

int64_t opencv_recognizer_train(OpenCVRecognizer *recognizer) {
    int64_t size = 0;
    for (const cv::Mat &descriptors : recognizer->descriptors) size += int64_t(descriptors.total() * descriptors.elemSize());
    recognizer->matcher->add(recognizer->descriptors);
    recognizer->matcher->train();
    return size;
}

int32_t opencv_recognize(
    OpenCVRecognizer *recognizer, const uint8_t *pixels, int32_t width, int32_t height, double *pixel_from_reference) {
    std::vector<cv::KeyPoint> points;
    cv::Mat descriptors;
    recognizer->describe(grey(pixels, width, height), points, descriptors);
    if (descriptors.rows < 4) return -1;
    std::vector<std::vector<cv::DMatch>> pairs;
    recognizer->matcher->knnMatch(descriptors, pairs, 2);
    std::vector<std::vector<cv::DMatch>> matches(recognizer->points.size());
    for (const auto &pair : pairs) {
        // Two looks of one target do not contradict each other.
        const bool is_clear = pair.size() == 1 ||
            (pair.size() == 2 && (pair[0].imgIdx == pair[1].imgIdx || pair[0].distance < 0.8f * pair[1].distance));
        if (is_clear) matches[size_t(pair[0].imgIdx)].push_back(pair[0]);
    }
    std::vector<int32_t> order(matches.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = int32_t(i);
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
        return matches[size_t(a)].size() > matches[size_t(b)].size();
    });
    int32_t best = -1;
    int most_inliers = 9;
    for (size_t rank = 0; rank < std::min<size_t>(5, order.size()); ++rank) {
        const auto &own = matches[size_t(order[rank])];
        if (own.size() < 10) break;
        std::vector<cv::Point2f> from, to;
        for (const cv::DMatch &match : own) {
            from.push_back(recognizer->points[size_t(order[rank])][size_t(match.trainIdx)].pt);
            to.push_back(points[size_t(match.queryIdx)].pt);
        }
        std::vector<uint8_t> is_inlier;
        const cv::Mat homography = cv::findHomography(from, to, cv::RANSAC, 4, is_inlier, 1000, 0.995);
        const int inliers = homography.empty() ? 0 : cv::countNonZero(is_inlier);
        if (inliers <= most_inliers) continue;
        most_inliers = inliers;
        best = order[rank];
        std::copy_n(homography.ptr<double>(), 9, pixel_from_reference);
    }
    return best;
}
