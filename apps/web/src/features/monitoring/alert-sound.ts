import type { AlertRow } from '@tour-ops/contract/monitoring/alerts'
import { useEffect, useRef } from 'react'
import { create } from 'zustand'

const storageKey = 'alert-sound'

function stored(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    // Storage may be switched off; the sound is on then.
    return true
  }
}

const useSound = create<{ isOn: boolean }>(() => ({ isOn: stored() }))

/** Whether a new critical alert sounds in this browser. */
export const useAlertSoundOn = (): boolean => useSound((state) => state.isOn)

/** Mutes the board in this browser, or unmutes it; then it plays the sound. */
export function switchAlertSound(): void {
  const isOn = !useSound.getState().isOn
  try {
    localStorage.setItem(storageKey, isOn ? 'on' : 'off')
  } catch {
    // The choice then lasts as long as the page.
  }
  useSound.setState({ isOn })
  if (isOn) play()
}

const isHeard = ({ severity, status }: AlertRow): boolean => severity === 'critical' && status === 'open'

/** Critical alerts that wait and did not before; none at the first look, when everything is new. */
export const newlyCritical = (before: readonly AlertRow[] | null, now: readonly AlertRow[]): AlertRow[] => {
  if (before === null) return []
  const known = new Set(before.filter(isHeard).map(({ id }) => id))
  return now.filter((alert) => isHeard(alert) && !known.has(alert.id))
}

/** Plays a sound for new critical alerts while the board is open. */
export function useAlertSound(alerts: readonly AlertRow[] | undefined): void {
  const before = useRef<readonly AlertRow[] | null>(null)
  const isOn = useAlertSoundOn()
  useEffect(() => {
    if (!alerts) return
    if (isOn && newlyCritical(before.current, alerts).length > 0) play()
    before.current = alerts
  }, [alerts, isOn])
}

let context: AudioContext | undefined
/** Two tones, the higher one first: hertz and seconds. */
const tones = [
  { hertz: 880, at: 0 },
  { hertz: 660, at: 0.22 },
] as const
const toneSeconds = 0.18
const loudness = 0.25

/** Made here, without a file. A browser keeps a page silent until its person has pressed something on it, and complains where one tries. */
function play(): void {
  if ('userActivation' in navigator && !navigator.userActivation.hasBeenActive) return
  try {
    context ??= new AudioContext()
    void context.resume().catch(() => undefined)
    for (const { hertz, at } of tones) sound(context, hertz, context.currentTime + at)
  } catch {
    // A computer without sound shows its alerts all the same.
  }
}

function sound(audio: AudioContext, hertz: number, at: number): void {
  const tone = audio.createOscillator()
  const volume = audio.createGain()
  tone.frequency.value = hertz
  volume.gain.setValueAtTime(loudness, at)
  volume.gain.exponentialRampToValueAtTime(0.001, at + toneSeconds)
  tone.connect(volume).connect(audio.destination)
  tone.start(at)
  tone.stop(at + toneSeconds)
}
