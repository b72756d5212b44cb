import type { AppError } from '@tour-ops/contract/errors'
import { m } from '../../paraglide/messages.js'

let sayRefusal: (error: AppError) => string = () => m.ui_form_check()

/** Gives forms the function that returns the text of a refusal; `main` does it once. */
export function provideRefusalText(say: (error: AppError) => string): void {
  sayRefusal = say
}

/** Why a form could not be saved, in the reader's language. */
export const refusalText = (error: AppError): string => sayRefusal(error)
