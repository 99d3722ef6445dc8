// rejected: temperature 1
return order[0];
