/**
 * Limits of one template. They are about a hundred times what ordinary emails need. Together with the thread that
 * renders anything but plain templates, they keep one template from delaying other emails.
 */

/** Characters of a template's source. */
export const SOURCE_MAX = 1_000_000
/** Characters of one rendered text. */
export const OUTPUT_MAX = 5_000_000
/** Names, filters, tags and outputs in one template; a big newsletter has a few hundred. */
export const PARTS_MAX = 20_000
/** Tags inside tags, and brackets inside brackets. */
export const NESTING_MAX = 100
/** Items of a range such as (1..100). */
export const RANGE_MAX = 100_000
/** Characters and items that filters, captures and comparisons may read and make, added up over one rendering. */
export const MEMORY_MAX = 10_000_000
/** Milliseconds of processor time for one rendering, checked before each part of it. */
export const RENDER_MS_MAX = 500
