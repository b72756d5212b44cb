import { create } from 'zustand'

/** Tabs of the departure drawer: `?tab=` in the address. */
export const drawerTabs = ['run-sheet', 'manifest', 'bookings', 'crew', 'services', 'history'] as const
export type DrawerTab = (typeof drawerTabs)[number]

export type RequestedDialog = 'assign' | 'vehicle' | 'notes' | 'count'

/** A dialog of the drawer that somebody asked for from elsewhere, before the departure is open. */
const useDrawerRequest = create<{ departureId: string | null; dialog: RequestedDialog | null }>(() => ({
  departureId: null,
  dialog: null,
}))

export const askForDialog = (departureId: string, dialog: RequestedDialog): void =>
  useDrawerRequest.setState({ departureId, dialog })
export const forgetDrawerRequest = (): void => useDrawerRequest.setState({ departureId: null, dialog: null })

/** The dialog that was requested for this departure. */
export const useRequestedDialog = (departureId: string): RequestedDialog | null =>
  useDrawerRequest((request) => (request.departureId === departureId ? request.dialog : null))
