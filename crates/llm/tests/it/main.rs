fn a(){}
