import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { AppError } from '@tour-ops/contract/errors'

/** Makes a passkey on the device. */
export const makePasskey = (options: PublicKeyCredentialCreationOptionsJSON): Promise<RegistrationResponseJSON> =>
  withReason(startRegistration({ optionsJSON: options }))

/**
 * Answers the server's challenge with a passkey of the device.
 *
 * @param suggestion Waits among the browser's suggestions for the address until this signal, instead of asking at once.
 */
export async function usePasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
  suggestion?: AbortSignal,
): Promise<AuthenticationResponseJSON> {
  suggestion?.throwIfAborted()
  const stop = () => WebAuthnAbortService.cancelCeremony()
  suggestion?.addEventListener('abort', stop)
  try {
    return await withReason(startAuthentication({ optionsJSON: options, useBrowserAutofill: suggestion !== undefined }))
  } finally {
    suggestion?.removeEventListener('abort', stop)
  }
}

/** Whether the browser can suggest passkeys in a field. */
export const areSuggested = (): Promise<boolean> => browserSupportsWebAuthnAutofill()

/** Names of the browser's refusals. Source: Web Authentication, "create" and "get". */
const reasonOf: Readonly<Record<string, string>> = {
  NotAllowedError: 'passkey_cancelled',
  AbortError: 'passkey_cancelled',
  InvalidStateError: 'passkey_exists',
}

async function withReason<Answer>(ceremony: Promise<Answer>): Promise<Answer> {
  try {
    return await ceremony
  } catch (error) {
    const reason = (error instanceof Error ? reasonOf[error.name] : undefined) ?? 'passkey_failed'
    throw new AppError('aborted', 'The passkey was not used.', { cause: error, details: { reason } })
  }
}
