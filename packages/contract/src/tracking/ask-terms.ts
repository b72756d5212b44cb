/** Why somebody cannot be asked where they are. `no_duty_page`: what reports their position, if anything does, cannot be asked. */
export const askRefusals = ['off_duty', 'no_consent', 'on_break', 'no_duty_page'] as const
export type AskRefusal = (typeof askRefusals)[number]

/** Asked again within this time, seconds, it is the same question: about as long as an open phone takes to hear of it. */
export const askAgainS = 30
/** A phone with a signal and an open page has answered after this time, seconds. */
export const answerWithinS = 60
