import { parsePhoneNumberFromString, validatePhoneNumberLength, type CountryCode } from 'libphonenumber-js/min'
import type { CellReader } from './cell-reader.ts'
import { problem } from './import-problems.ts'

/** An address as people have them; whether it exists, only a message can tell. */
const emailForm = /^[^\s@"(),:;<>[\]\\]+@[^\s@.]+(?:\.[^\s@.]+)+$/

export const email: CellReader = ({ text, header, values }) => {
  const address = text.toLowerCase()
  if (address.length > 254 || !emailForm.test(address)) return problem('email_invalid', header, { value: text })
  values.email = address
  return undefined
}

/**
 * E.164 with the country code as written, or else that of the guest's nationality where one is given, or that of the file. A country that is said of
 * the whole file must have such a number; of the guest, one of that length.
 */
export const phone =
  (key: 'phone' | 'emergencyPhone'): CellReader =>
  ({ text, header, values, context }) => {
    const typed = text.replace(/^00(?=[1-9])/, '+').replace(/^\+?\(0+\)/, '')
    const ofFile = typed.startsWith('+') || values.nationality ? undefined : context.mapping.phoneCountry
    const country = (values.nationality ?? ofFile ?? undefined) as CountryCode | undefined
    if (!typed.startsWith('+') && country === undefined) {
      return problem('phone_without_country', header, { value: text })
    }
    if (validatePhoneNumberLength(typed, country) === 'TOO_SHORT') {
      return problem('phone_too_short', header, { value: text })
    }
    const number = parsePhoneNumberFromString(typed, { extract: false, ...(country && { defaultCountry: country }) })
    const isNumber = ofFile ? number?.isValid() : number?.isPossible()
    if (!number || !isNumber || !/^\+[1-9]\d{6,14}$/.test(number.number)) {
      return problem('phone_invalid', header, { value: text })
    }
    values[key] = number.number
    return undefined
  }
