import { create } from 'zustand'

type CrewDialog = 'assign' | 'vehicle'

/** A dialog of the crew tab that somebody asked for from elsewhere, before the departure is open. */
export const useCrewRequest = create<{ departureId: string | null; dialog: CrewDialog | null }>(() => ({
  departureId: null,
  dialog: null,
}))

export const askForCrew = (departureId: string, dialog: CrewDialog): void =>
  useCrewRequest.setState({ departureId, dialog })
export const forgetCrewRequest = (): void => useCrewRequest.setState({ departureId: null, dialog: null })
