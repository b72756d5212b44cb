import { create } from 'zustand'

export type RequestedDialog = 'assign' | 'vehicle' | 'notes' | 'count'

/** A dialog of the drawer that somebody asked for from elsewhere, before the departure is open. */
const useDrawerRequest = create<{ departureId: string | null; dialog: RequestedDialog | null }>(() => ({
  departureId: null,
  dialog: null,
}))

export const askForDialog = (departureId: string, dialog: RequestedDialog): void =>
  useDrawerRequest.setState({ departureId, dialog })
export const forgetDrawerRequest = (): void => useDrawerRequest.setState({ departureId: null, dialog: null })

/** The dialog that was asked for of this departure. */
export const useRequestedDialog = (departureId: string): RequestedDialog | null =>
  useDrawerRequest((request) => (request.departureId === departureId ? request.dialog : null))
