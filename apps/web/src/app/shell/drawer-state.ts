import { create } from 'zustand'

/** Whether the navigation covers the page, below 1280. */
export const useDrawer = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

export const setDrawerOpen = (isOpen: boolean): void => useDrawer.setState({ isOpen })
