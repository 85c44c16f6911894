# Prints the objects that a family's front is made of, and nothing else: for FAMILY.
include Makefile
objects:
	@echo $(abspath $(OBJECTS_$(FAMILY)))
.PHONY: objects
