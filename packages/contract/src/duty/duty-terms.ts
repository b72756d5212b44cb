/**
 * What both the phone's first load and the server need of its contract: no shapes, so that the library for them is loaded with the office's
 * code and not before.
 */

/** The address of the guide's phone; a separate application with its own small entry. */
export const dutyPath = '/duty'

/** Whether a path, with or without what follows it, is one of the phone's. */
export const isDutyPath = (path: string): boolean => /^\/duty(?![\w-])/.test(path)

/** A guest is waited for at a pickup so long before "did not come" is offered, minutes. */
export const noShowWaitMin = 5

/** Names of the calls that take what was done on a phone, by whose it is; its worker sends without their shapes. */
export const dutySendNames = { member: 'duty-send', link: 'duty-link-send' } as const

/** Most events of one request; a phone with more sends several. */
export const maxDutyEvents = 100
/** Older events are refused: nobody works three days without a signal, and a clock that is that wrong says nothing. Hours. */
export const oldestDutyEventHours = 72

/**
 * What a phone dials in danger where the organization has set nothing: handsets take it for an emergency call in every network. Source: 3GPP
 * TS 22.101, 10.1.1.
 */
export const usualEmergencyNumber = '112'
