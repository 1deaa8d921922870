/**
 * Where the temporary files of a test run are: in memory, if the machine has the room. Creating and removing hundreds of
 * databases takes several times as much processor time on a disk.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import path from 'node:path'
import { livingOf } from './processes.ts'

/** Linux has a file system in memory here. In a container it is often too small. */
const IN_MEMORY = '/dev/shm'
/** Enough for the databases of a run with their logs, and for the packages that tests install. */
const ROOM_BYTES = 4 * 2 ** 30

/** A new folder, in memory if possible. Like /tmp, it is for every user: some tests start programs as another one. */
export function makeTemporaryFolder(): string {
  const folder = makeFolderInMemory() ?? mkdtempSync(path.join(tmpdir(), 'posthorn-test-'))
  chmodSync(folder, 0o1777)
  return folder
}

function makeFolderInMemory(): string | undefined {
  if (!hasRoom(IN_MEMORY)) return undefined
  const prefix = `posthorn-test-${processNamespace()}-`
  removeLeftovers(prefix)
  const folder = mkdtempSync(path.join(IN_MEMORY, `${prefix}${process.pid}-`))
  if (canRunPrograms(folder)) return folder
  rmSync(folder, { recursive: true })
  return undefined
}

/** Containers that share the memory may each have a process with the same number. */
const processNamespace = () => /\d+/.exec(readlinkSync('/proc/self/ns/pid'))![0]

/** A run that was killed would otherwise occupy memory until the machine restarts. */
function removeLeftovers(prefix: string): void {
  const folders = readdirSync(IN_MEMORY).filter((name) => name.startsWith(prefix))
  const ownerOf = (name: string) => Number(name.slice(prefix.length).split('-')[0])
  const owners = livingOf(folders.map(ownerOf))
  for (const name of folders) {
    if (owners.includes(ownerOf(name))) continue
    try {
      rmSync(path.join(IN_MEMORY, name), { recursive: true, force: true })
    } catch {
      // it belongs to another user
    }
  }
}

/** The tests themselves need as much memory again. */
function hasRoom(parent: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(parent)
    return bavail * bsize >= ROOM_BYTES && freemem() >= 2 * ROOM_BYTES
  } catch {
    return false // it doesn't exist on this system
  }
}

/** Some tests install packages with programs, which many systems don't allow to run from there. */
function canRunPrograms(folder: string): boolean {
  const program = path.join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n')
  chmodSync(program, 0o700)
  try {
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    rmSync(program)
  }
}
