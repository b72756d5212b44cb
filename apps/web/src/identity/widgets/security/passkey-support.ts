/** Passkeys belong to names, never to addresses of numbers. Source: Web Authentication, "relying party identifier". */
export const isNamedHost = (host: string): boolean => !/^\[|^\d+(\.\d+){3}$/.test(host)

/** Whether a passkey can be used on this page at all. */
export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in globalThis && isNamedHost(location.hostname)
