// rejected: that is the decoder's state
return {weights, s};
