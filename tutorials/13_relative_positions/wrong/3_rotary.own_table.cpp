// rejected: the angles are those of `table`
const std::vector<Tensor> half = split(x, 2, -1);
const Tensor own = rotary_table(first + x.size(-2), x.size(-1));
const auto rows = split(slice(own, 0, first, first + x.size(-2)), 2, -1);
const Tensor &cos = rows[0], &sin = rows[1];
return concat({half[0] * cos - half[1] * sin, half[0] * sin + half[1] * cos}, -1);
