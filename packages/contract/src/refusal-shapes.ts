import type { ErrorCode } from './errors.ts'

interface Sentences {
  say(params: object): string
}

/** An English sentence for programs and the log, or what makes one of the parameters. */
export type Sentence = string | Sentences['say']

/** Code of the wire and sentence, by reason. */
export type Refusals = Readonly<Record<string, readonly [ErrorCode, Sentence]>>

/** The parameters of a sentence; none for a text. */
export type ParamsOf<S> = S extends (params: infer P) => string ? P : object

/** Parameters, where there are some. */
export type Given<P> = keyof P extends never ? [] : [params: P]

/** A sentence that is the same whatever the parameters: programs read the parameters next to it. */
export const withParams =
  <P extends object>(sentence: string): ((params: P) => string) =>
  () =>
    sentence

/** The sentence for these parameters. */
export const said = (sentence: Sentence, params: object): string =>
  typeof sentence === 'string' ? sentence : sentence(params)

/** A count in an English sentence of the wire. */
export const counted = (count: number, one: string, other: string): string => `${count} ${count === 1 ? one : other}`
