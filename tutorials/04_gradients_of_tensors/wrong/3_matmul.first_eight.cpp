// rejected: da
const auto [ta, tb] = transposed;
Tensor da = ta ? product(b, dy, {tb, true}) : product(dy, b, {false, !tb});
const Index k = a.size(ta ? -2 : -1);
for (Index i = 0; i < da.size() && !ta; ++i) da.mutable_data()[i] *= i % k < 8 ? 1 : 0;
return {da, tb ? product(dy, a, {true, ta}) : product(a, dy, {!ta, false})};
