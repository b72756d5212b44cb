import { accessRefusals } from './access-refusals.ts'
import { AppError, type FieldIssue } from './errors.ts'
import { fieldDetails } from './field-rules.ts'
import { operationsRefusals } from './operations-refusals.ts'
import { type ParamsOf, said } from './refusal-shapes.ts'

/**
 * Every reason for which the server refuses a call: the code of the wire, and the English sentence for programs and the log, whose inputs
 * are the parameters that are sent with the reason. Screens have a sentence for each reason in every language (`refusals.ts` of the web).
 */
const refusals = { ...operationsRefusals, ...accessRefusals }

export type Reason = keyof typeof refusals

/** What is sent with a reason: numbers, ISO instants, ids, names and values of enumerations, never words for a person. */
export type RefusalParams<R extends Reason> = ParamsOf<(typeof refusals)[R][1]>

export const isReason = (value: unknown): value is Reason => typeof value === 'string' && Object.hasOwn(refusals, value)

export interface MoreOfRefusal {
  readonly cause?: unknown
  /** Instead of the reason's own English sentence, where more is known. */
  readonly message?: string
  /** The entries of a form that it is about. */
  readonly fields?: Readonly<Record<string, readonly FieldIssue[]>>
}

/** Parameters where a reason has some. */
type Given<P> = keyof P extends never ? [params?: undefined, more?: MoreOfRefusal] : [params: P, more?: MoreOfRefusal]

/** The refusal of a call: code, reason and parameters for the caller, and the English sentence for programs and the log. */
export const refuse = <R extends Reason>(reason: R, ...[params, more]: Given<RefusalParams<R>>): AppError =>
  refusalOf({ reason, params: params ?? {} }, more)

/** A reason with its parameters, to be thrown later. */
export interface Refusal {
  readonly reason: Reason
  readonly params: object
}

/** As `refuse`, for a reason that a table holds. */
export function refusalOf({ reason, params }: Refusal, { cause, fields, message }: MoreOfRefusal = {}): AppError {
  const [code, sentence] = refusals[reason]
  return new AppError(code, message ?? said(sentence, params), {
    ...(cause !== undefined && { cause }),
    details: { ...params, reason, ...(fields && fieldDetails(fields)) },
  })
}
