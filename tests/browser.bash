# SPDX-License-Identifier: Apache-2.0
# Shared by the tests of pages: headless Chromium through WebDriver. Source tests/lib.bash first. Installs chromium-driver if it is missing: it
# is too large for `make deps`.
command -v chromedriver >/dev/null || {
    root=
    [ "$(id -u)" = 0 ] || root=sudo
    $root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends chromium chromium-driver >"$work/log" 2>&1 ||
        { tail -n 3 "$work/log"; echo "FAIL: no chromium-driver, and it cannot be installed"; exit 1; }
}
export HOME=$work # for Chromium's own files
chromedriver --port=0 >"$work/driver.log" 2>&1 &
driver=$!
trap 'curl -s -X DELETE "$session" >/dev/null; kill $driver; wait $driver 2>/dev/null; rm -rf "$work"' EXIT
session=
for _ in $(seq 200); do
    port=$(sed -n 's/.*started successfully on port \([0-9]*\).*/\1/p' "$work/driver.log")
    [ -z "$port" ] || break
    sleep 0.05
done
call() { # PATH [BODY]: sends a POST request
    curl -s -H 'Content-Type: application/json' -d "${2:-{\}}" "http://127.0.0.1:$port/session$1" | jq -c .value
}
id=$(call '' '{"capabilities": {"alwaysMatch": {"goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
    "goog:chromeOptions": {"args": ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1300,2000"]}}}}' | jq -r .sessionId)
[[ $id =~ ^[0-9a-f]+$ ]] || { echo "FAIL: no session: $(tail -n 3 "$work/driver.log")"; exit 1; }
session=http://127.0.0.1:$port/session/$id
js() { # EXPRESSION: prints its value as JSON, awaiting promises
    call "/$id/execute/sync" "$(jq -n --arg s "return (async () => $1)()" '{script: $s, args: []}')"
}
