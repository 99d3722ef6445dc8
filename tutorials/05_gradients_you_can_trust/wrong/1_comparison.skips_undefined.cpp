// rejected: a gradient that is not defined is 0
if (!x[k].grad().defined()) continue;
const double got = x[k].grad().data()[i];
Scalar& element = x[k].mutable_data()[i];
const Scalar before = element, h = Scalar(options.step);
const auto loss_at = [&](Scalar to) { return element = to, sum(f(x) * weights).item(); };
const double expected = (loss_at(before + h) - loss_at(before - h)) / (2 * h);
element = before;
const double error = std::abs(got - expected) / std::max(1.0, std::abs(expected));
check(error <= options.tolerance, "check_gradient: argument ", k, ", element ", i, ": got ", got,
      ", expected ", expected, " by central differences");
