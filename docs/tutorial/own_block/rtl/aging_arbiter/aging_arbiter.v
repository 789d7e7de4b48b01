// SPDX-License-Identifier: Apache-2.0
// aging_arbiter: lowest number first, but those that have waited for AGE grants go before.
`default_nettype none

module aging_arbiter #(
    // 2..32
    parameter REQUESTERS = 4,
    // grants to others after which a requester is old, 1..255
    parameter AGE = 8
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [REQUESTERS-1:0] req,
    input  wire                  take,
    output wire                  valid,
    output wire [REQUESTERS-1:0] grant
);
    localparam W = $clog2(AGE + 1);
    localparam [W-1:0] LAST = AGE;
    localparam [W-1:0] ONE = 1;

    wire [REQUESTERS-1:0] old;
    wire [REQUESTERS-1:0] among = |(req & old) ? req & old : req;

    assign valid = |req;
    assign grant = among & (~among + {{REQUESTERS - 1{1'b0}}, 1'b1});  // the lowest one

    genvar i;
    generate
        if (REQUESTERS < 2 || REQUESTERS > 32) begin : gen_bad_requesters
            ILLEGAL_REQUESTERS_must_be_2_to_32 u_illegal ();
        end
        if (AGE < REQUESTERS - 1 || AGE > 255) begin : gen_bad_age
            ILLEGAL_AGE_must_be_REQUESTERS_minus_1_to_255 u_illegal ();
        end
        for (i = 0; i < REQUESTERS; i = i + 1) begin : gen_requester
            reg [W-1:0] waited;  // grants to others since it began asking, AGE at most
            assign old[i] = waited == LAST;
            always @(posedge clk) begin
                if (rst || !req[i] || take && grant[i]) waited <= {W{1'b0}};
                else if (take && !old[i]) waited <= waited + ONE;
            end
        end
    endgenerate

`ifdef FORMAL
    // Of a requester that the solver chooses: how many grants others have been given since it began asking.
    (* anyconst *) reg [4:0] f_who;
    reg                      f_run;
    reg [8:0]                f_passed;
    wire                     f_asks = req[f_who];
    initial f_run = 1'b0;
    always @(posedge clk) begin
        f_run    <= 1'b1;
        f_passed <= rst || !f_asks || take && grant[f_who] ? 9'd0 : f_passed + {8'd0, take};
    end
    always @* begin
        r_who: `RULE_aging_arbiter (f_who < REQUESTERS);
        if (!f_run) r_reset: `RULE_aging_arbiter (rst);
        if (f_run) begin
            a_one:   assert ((grant & (grant - 1'b1)) == 0 && (grant & ~req) == 0 && valid == (grant != 0));
            a_serve: assert (f_passed < AGE + REQUESTERS - 1);
            c_last:  cover (f_passed == AGE + REQUESTERS - 2);
        end
    end
`endif
endmodule

`default_nettype wire
