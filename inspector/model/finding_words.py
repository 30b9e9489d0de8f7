"""What each kind of finding means, for somebody who meets it for the first time.

Apart from `findings`, which every replay loads: these words are read by people alone.
"""

from __future__ import annotations

from collections.abc import Mapping

MEANINGS: Mapping[str, str] = {
    # pairing
    "missing_result": "a call has no result, and none is on its way",
    "unanswered_call_dropped": "the client leaves a call without result out of the request",
    "message_emptied": "a message lost all its calls and is sent with nothing in it",
    "pending_result": "a call at the end still waits for its result",
    "orphan_result": "a result answers a call that is not there",
    "duplicate_tool_use": "two calls have one id",
    "duplicate_result": "a call is answered more than once",
    "displaced_result": "a result stands away from its call and is moved there",
    "order_violation": "a result stands behind other blocks of its message",
    "id_reused": "an id is used again by a later, answered call",
    "off_chain_result": "results of parallel calls stand beside the chain of parents",
    "silent_reorder": "ChatCLI put results into call order and counts it nowhere",
    "result_before_call": "ChatCLI says “missing” of a result it removed for its place",
    "recorded_repair": "the file itself holds a result that a repair made",
    "text_mode_result": "tool output as plain text, which no stage looks at",
    # budget
    "over_result_limit": "one result is larger than a result may be",
    "over_turn_budget": "the results of one message are together over the limit",
    "accepted_overage": "still over the limit: what was sent before stays as it is",
    "cannot_fit": "still over the limit: no result may be cut any more",
    "not_applied": "the budget would replace, but no record shows that it did",
    "unexpected_replacement": "a record replaces what the budget would leave in full",
    "base64_text": "a file or picture that was sent as text in base64",
    "image_result": "a result with pictures, which the budget neither counts nor cuts",
    "cut_at_return": "cut by its tool's cap before it was stored: the middle is lost",
    "saving_not_counted": "ChatCLI saved more than it reports",
    "negative_count": "a preview states a number of omitted chars that is wrong",
    "tie_by_sort": "of results of one size, the order of a sort chose which was cut",
    "cut_twice": "cut by both limits: the file named holds only a preview",
    "counted_without_file": "counted as saved to disk although no file was written",
    "preview_longer": "the preview is longer than the text it stands for",
    # state
    "prefix_break": "a request changes what was sent before; what follows misses the cache",
    "unstable_preview": "a result gets another preview in every turn, which breaks the cache",
    "replacement_lost": "a result is sent in full again where its preview was sent before",
    "cold_cache": "much less was read from the cache than in the request before",
    "resume": "the session was left and taken up again",
    "fork": "the session goes on from requests of another one",
    # overflow
    "overflow_missing": "the file that holds a replaced text is gone",
    "overflow_elsewhere": "the file is in the scratch directory, not at the stated path",
    "overflow_size_mismatch": "the file has another size than was stated",
    "overflow_preview_mismatch": "the file begins otherwise than its preview",
    "overflow_unreferenced": "files that no result names",
    "overflow_reread": "an overflow file was read back, so its text is paid for again",
    "overflow_reread_loop": "what was read back was replaced as well, again and again",
    # ageing
    "cleared_without_copy": "shortened or cleared, and no file keeps the text",
    "read_again_after_clear": "a call is repeated because its result was taken away",
    "never_summarized": "previews too small for ageing stay for good",
    "clearing": "the file records that old results were cleared",
    "cleared_unrecorded": "usage fell as if results were cleared, and no line says so",
    "gate_closed": "old enough to be shortened, but ChatCLI's loop has not begun to",
    "straight_to_summary": "went from full to one line, never truncated in between",
    "counted_but_unchanged": "counted as shortened, though nothing got shorter",
    "error_shortened": "the text of an error was shortened",
    "recall_without_store": "says that it can be recalled, but nothing keeps the text",
    "split_character": "cut in the middle of a character",
    "recorded_ageing": "the file holds results in shortened form only",
    # context
    "context_jump": "a request is much larger than the one before",
    "compaction": "the conversation was replaced by a summary",
    "usage_repeated": "several records carry the usage of one answer; it counts once",
    "recorded_differs": "a recorded request holds something else than predicted",
    # input
    "bad_line": "a line that is no record; what is around it is read",
    "comment_line": "a line that begins with //: passed over",
    "nul_run": "a run of NUL bytes, as a crash leaves it",
    "partial_line": "the last line is not finished",
    "control_characters": "results with control characters, shown as pictures",
    "lone_surrogate": "half a character, which some APIs refuse",
    "invalid_utf8": "bytes that are no UTF-8; they were replaced",
    "huge_line": "a line too long to be read",
    "unknown_record": "records of types that are not known",
    "unsupported_source": "something here cannot be read in full",
    "unknown_version": "the client is newer than the rules that are known",
}
"""Kind → what it means: the end of a sentence, at most 70 cells."""
