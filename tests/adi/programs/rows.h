/*
 * The rows of the interface, one function each: rows_send.c, rows_requests.c, rows_types.c,
 * rows_environment.c. rows.c calls the one whose name it is given.
 *
 * Gives: row_A2 to row_A29.
 * Needs: nothing.
 */
#ifndef WI4GO_ROWS_H
#define WI4GO_ROWS_H

void row_A2(void);
void row_A3(void);
void row_A4(void);
void row_A6(void);
void row_A7(void);
void row_A8(void);
void row_A9(void);
void row_A10(void);
void row_A11(void);
void row_A12(void);
void row_A13(void);
void row_A15(void);
void row_A16(void);
void row_A18(void);
void row_A19(void);
void row_A20(void);
void row_A21(void);
void row_A23(void);
void row_A26(void);
void row_A28(void);
void row_A29(void);

#endif
