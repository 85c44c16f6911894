# Prints the objects of a family's front, and nothing else: for FAMILY.
include Makefile
objects:
	@echo $(abspath $(OBJECTS_$(FAMILY)))
.PHONY: objects
