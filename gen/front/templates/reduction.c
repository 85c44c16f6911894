        struct piece piece = {0, 0, 0};
        MPI_Aint extent = 0;
        int rc = 0, wrong = out_of_range(@count@, @datatype@, &extent);
        if (wrong)
            return wi4go_raise(@raised@, wrong);
        while (!rc && next_piece(&piece, @count@, extent))
            rc = @call@;
        return rc;
