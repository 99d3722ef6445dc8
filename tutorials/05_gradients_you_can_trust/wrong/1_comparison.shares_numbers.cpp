// rejected: belong to different arguments
const double got = x[k].grad().defined() ? x[k].grad().data()[i] : 0;
Scalar& element = x[0].mutable_data()[i];
const Scalar before = element, h = Scalar(options.step);
const auto loss_at = [&](Scalar to) { return element = to, sum(f(x) * weights).item(); };
const double expected = (loss_at(before + h) - loss_at(before - h)) / (2 * h);
element = before;
const double error = std::abs(got - expected) / std::max(1.0, std::abs(expected));
check(error <= options.tolerance, "check_gradient: argument ", k, ", element ", i, ": got ", got,
      ", expected ", expected, " by central differences");
