// rejected: the rows of dy in order
for (Index i = 0; i < std::min(dy.size(), rows* width); ++i)
  dtable.mutable_data()[i] += dy.data()[i];
