import type { StorageCode } from '@tour-ops/contract/files'
import type { AuthCode } from '../backend/auth-codes.ts'
import { m } from '../paraglide/messages.js'

type Sentence = () => string

// What a person can do about the codes of the sign-in and of the file store (spec, section 8). They travel with the sentences of refusals:
// none of them is shown before the first screen except with an error that brings them along (`withSentences`).

export const authErrors: Readonly<Record<AuthCode, Sentence>> = {
  'unauthorized-domain': () => m.errors_auth_unauthorized_domain(),
  'popup-blocked': () => m.errors_auth_popup_blocked(),
  'popup-closed-by-user': () => m.errors_auth_popup_closed(),
  'network-request-failed': () => m.errors_auth_network(),
  'user-mismatch': () => m.errors_auth_user_mismatch(),
  'internal-error': () => m.errors_auth_internal(),
  'multi-factor-auth-required': () => m.errors_auth_second_factor(),
}

export const storageErrors: Readonly<Record<StorageCode, Sentence>> = {
  'object-not-found': () => m.errors_file_gone(),
  unauthorized: () => m.errors_file_unauthorized(),
  'quota-exceeded': () => m.errors_file_quota(),
  'retry-limit-exceeded': () => m.errors_file_retries(),
  canceled: () => m.errors_file_canceled(),
}
