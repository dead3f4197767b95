#!/usr/bin/env bash
# doctor's lines on a GPU and on NVML, with stand-ins for the kernel module and for the library.
#   test_cli_doctor.sh ASSAY GPU_MODULE NVML_LIBRARY [NO_CUDA]    NO_CUDA: why the harness has no CUDA, if it has none
set -u
assay=$1
gpu=$(realpath "$2") || exit 1
nvml=$(realpath "$3") || exit 1
no_cuda=${4:-}
. "$(dirname "$0")/cli.sh"

given=$(realpath "$assay")
# The program looks for modules beside itself.
cp "$assay" "$gpu" . || exit 1
mv "$(basename "$gpu")" "$(basename "$assay")_kernels_cuda.so" || exit 1
assay=$PWD/$(basename "$assay")
export ASSAY_NVML_LIBRARY=$nvml

# says "line" [VARIABLE=value...]: doctor ends with 0 and prints a line about nvml that begins with this text.
says() {
    local line=$1
    shift
    env "$@" "$assay" doctor >said 2>&1
    holds "exit 0 with ${*:-no script}" is "$?" 0
    holds "    says 'nvml $line'" grep -qE "^nvml +$line" said
}
notes() { grep -cE '^nvml +note' said; }
fake() { printf 'ASSAY_FAKE_NVML_%s' "$1"; }

echo "# a GPU and NVML"
says 'ok +Imaginary GPU, driver 580\.1\.2, NVML 13\.580\.1\.2, VBIOS 96\.00\.99\.00\.01; ECC on, MIG off, persistence mode on$'
holds "    and its state" grep -qE \
    '^nvml +ok +now: SM clock 1980 of 1981 MHz, memory clock 2619 of 2620 MHz, 41 C, 123\.4 of 700 W; clock reasons: none$' said
holds "    and no note" is "$(notes)" 0
holds "    after the line of the GPU" is "$(cut -d' ' -f1 said | uniq | head -n 4 | xargs)" "cuda nvml cupti host"

echo "# disturbances"
says 'note +MIG is on: other work in the same compute instance disturbs counters' "$(fake MIG=1)"
holds "    one note" is "$(notes)" 1
says 'note +persistence mode is off' "$(fake PERSISTENCE=0)"
says "note +compute mode is 'exclusive process'" "$(fake COMPUTE_MODE=3)"
says 'note +power or heat holds the clocks back' "$(fake REASONS=0x24)"
holds "    names the reasons" grep -qF 'clock reasons: power cap, thermal slowdown' said
says 'ok +now: .*clock reasons: idle, 0x400$' "$(fake REASONS=0x401)"
holds "    is no throttling" is "$(notes)" 0

echo "# values that NVML does not give"
says 'ok +now: SM clock unknown of unknown MHz, memory clock unknown of unknown MHz, unknown C, unknown of unknown W; clock reasons: unknown \(-1\)$' \
    "$(fake FAIL)=nvmlDeviceGetClockInfo nvmlDeviceGetMaxClockInfo nvmlDeviceGetTemperatureV nvmlDeviceGetTemperature nvmlDeviceGetPowerUsage nvmlDeviceGetFieldValues nvmlDeviceGetEnforcedPowerLimit nvmlDeviceGetCurrentClocksEventReasons nvmlDeviceGetCurrentClocksThrottleReasons"
says 'ok +unknown, driver unknown, NVML unknown, VBIOS unknown; ECC unknown, MIG unknown, persistence mode unknown$' \
    "$(fake FAIL)=nvmlDeviceGetName nvmlSystemGetDriverVersion nvmlSystemGetNVMLVersion nvmlDeviceGetVbiosVersion nvmlDeviceGetEccMode nvmlDeviceGetMigMode nvmlDeviceGetPersistenceMode"
holds "    notes nothing" is "$(notes)" 0

echo "# no NVML"
says 'missing +NVML \(absent\.so\.1\) does not load: .*; clocks, power and temperature are unknown$' ASSAY_NVML_LIBRARY=absent.so.1
says 'missing +NVML .* does not start: Driver Not Loaded \(error 9\);' "$(fake FAIL)=nvmlInit_v2=9"
says 'missing +NVML .* finds no GPU at 0000:1B:00\.0: Not Found \(error 6\);' "$(fake BUS_ID)=0000:2C:00.0"
says 'ok ' "$(fake BUS_ID)=0000:2C:00.0" ASSAY_FAKE_GPU_BUS_ID=0000:2C:00.0
says 'missing +NVML .* its PCI bus id is not known;' ASSAY_FAKE_GPU_BUS_ID=

echo "# traces that are impossible"
ends 77 "runs on the CPU and launches nothing" \
    "$assay" trace --point physics_loss/cpu_omp/grid=8x9x10/boundary=periodic/time=first_order/vjp=residual/levels=t1/pass=both \
    --device cuda --db x.db
module=$(dirname "$given")/assay_cupti.so
if [ -r "$module" ]; then
    no_cupti="the CUPTI module (assay_cupti.so) that was built with this program's harness is not here; looked for beside the program"
else
    no_cupti="there is no CUPTI module (assay_cupti.so): CUPTI of the CUDA toolkit was not found where assay was built"
fi
ends 77 "there is nothing to trace with: $no_cupti" \
    "$assay" trace --point axpy/vec4/n=1000 --device cuda --db x.db
holds "nothing was written" is "$(ls x.db* 2>/dev/null)" ""

# A module that needs a libcupti which does not exist; its name has the same length, so that it can be replaced.
if [ -r "$module" ]; then
    echo "# no libcupti, and a broken one"
    sed 's/libcupti\.so\.[0-9][0-9]/libcupti.so.99/g' "$module" >assay_cupti.so
    cupti() {
        env "$@" "$assay" doctor >said 2>&1
        holds "exit 0 with $*" is "$?" 0
        holds "    names what was looked for" grep -qE '^cupti +missing +libcupti\.so\.99 is missing or broken' said
        holds "    and where" grep -qF 'extras/CUPTI/lib64 and targets/x86_64-linux/lib of CUDA_HOME (/nowhere), CUDA_PATH (not set)' said
        holds "    and what to do" grep -qF 'install CUPTI of the CUDA toolkit' said
        holds "    in one line" is "$(grep -c '^cupti' said)" 1
    }
    cupti -u CUDA_PATH CUDA_HOME=/nowhere
    holds "    in the loader's words" grep -qF 'cannot open shared object file' said
    mkdir broken
    echo "no library" >broken/libcupti.so.99
    cupti -u CUDA_PATH CUDA_HOME=/nowhere LD_LIBRARY_PATH=$PWD/broken
    holds "    in the loader's words" grep -qE 'libcupti\.so\.99: (file too short|invalid ELF header)' said
    ends 77 "libcupti.so.99 is missing or broken" "$assay" trace --point axpy/vec4/n=1000 --device cuda --db x.db
    rm assay_cupti.so
fi

echo "# no GPU"
rm "${assay}_kernels_cuda.so"
says 'missing +NVML .* cannot find the GPU: its PCI bus id is not known;'
holds "the true reason why there is no module" grep -qF \
    "there is no kernel module for 'cuda': ${no_cuda:-$(basename "$assay")_kernels_cuda.so was not built, or is not here; looked for beside}" said
ends 77 "${no_cuda:-looked for beside the program}" "$assay" doctor --self-check

echo "# peers"
no_torch=$PWD/python_alone # Python without installed packages
printf '#!/bin/sh\nexec python3 -S -E "$@"\n' >"$no_torch"
chmod +x "$no_torch"
mkdir peers
echo "import torch" >peers/physics_loss.py
says_peers() { # "line" [VARIABLE=value...]
    local line=$1
    shift
    env "$@" "$assay" doctor >said 2>&1
    holds "exit 0 with ${*:-what is there}" is "$?" 0
    holds "    says 'peers $line'" grep -qE "^peers +$line" said
}
says_peers "missing +the peer's script physarum\.py is not here; looked for in peers and \.\./share/assay/peers beside the program"
holds "    blames no python" is "$(grep -c '^peers.*ASSAY_PYTHON' said)" 0
holds "    misses none that is here" is "$(grep -c '^peers.*physics_loss' said)" 0
says_peers "missing +the peer's script physics_loss\.py is not in /no/such/folder, which ASSAY_PEERS names" ASSAY_PEERS=/no/such/folder
holds "    blames no python" is "$(grep -c '^peers.*ASSAY_PYTHON' said)" 0
cp -r "$(dirname "$given")"/peers/{assay,assay_variants.py} peers
if command -v python3 >/dev/null; then
    says_peers "missing +$no_torch: it has no framework that peers use; its peers are skipped" ASSAY_PYTHON="$no_torch"
fi
finish
