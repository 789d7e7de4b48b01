rtl/toy/toy.v
