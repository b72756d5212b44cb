import * as z from 'zod/mini'

const Corner = z.tuple([z.number(), z.number()])

/** An area in an answer. What comes in is checked by `Area` (`areas.ts`), which pages that only show one do not load. */
export const AreaShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('circle'), center: Corner, radiusM: z.number() }),
  z.object({ kind: z.literal('outline'), points: z.array(Corner) }),
])
