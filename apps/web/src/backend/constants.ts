/** How long a callable may take before the client gives up. Spec, section 9, "callable timeout 70 s". */
export const callableTimeoutMs = 70_000
/** A backend token is renewed this long before it ends. Spec, section 9, "token refresh about 5 minutes before expiry". */
export const tokenRefreshMarginMs = 5 * 60_000
/** A token older than this is not sent to the configured path again. Spec, section 9, "token sync max age 5 minutes". */
export const tokenSyncMaxAgeMs = 5 * 60_000
/** A file request is repeated for this long. Spec, section 9, "storage retry 2 minutes". */
export const storageRetryMs = 2 * 60_000
/** An upload is repeated for this long. Spec, section 9, "upload retry 10 minutes". */
export const uploadRetryMs = 10 * 60_000
/** Statuses on which a safe request is sent once more. Spec, section 7, "HTTP client". */
export const retriedStatuses: readonly number[] = [408, 409, 425, 429, 500, 502, 503, 504]
/** Methods that are never sent twice. Spec, section 7, "HTTP client". */
export const neverRetriedMethods: readonly string[] = ['PATCH', 'POST', 'PUT', 'DELETE']
/** Name of the token template that the identity service is asked for. Spec, section 7, "Backend sign-in". */
export const backendTokenTemplate = 'integration_firebase'
