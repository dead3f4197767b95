#!/usr/bin/env bash
# The results of cpack: an archive, and Debian packages with their dependencies. Unpacked, they work.
#   test_package.sh BUILD_TREE SOURCE_TREE
set -u
assay=$1/assay
build=$(realpath "$1")
source=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
. "$here/cli.sh"
. "$here/ways_in.sh"

version=$("$assay" --version | cut -d' ' -f2)
ends 0 "" cpack --config "$build/CPackConfig.cmake" -B "$folder/made"

echo "# the archive"
mkdir archive debian
ends 0 "" tar -xzf made/assay-"$version"-*.tar.gz -C archive --strip-components=1
ends 0 "" archive/bin/assay check axpy --axis n=100 --device host --db archive.db

echo "# Debian's packages"
if ! command -v dpkg-shlibdeps >/dev/null; then
    echo "left out: no dpkg-shlibdeps"
    finish
    exit
fi
field() { dpkg-deb --field made/"$1"_*.deb "$2"; } # package, field
for package in assay assay-dev; do
    holds "$package: one, of this version" is "$(field $package Package) $(field $package Version)" "$package $version"
    ends 0 "" dpkg-deb --extract made/"$package"_*.deb debian
done
for library in libc6 libsqlite3-0 zlib1g; do
    holds "the program depends on $library" grep -qw "$library" <(field assay Depends)
done
for library in "assay (= $version)" g++ libsqlite3-dev zlib1g-dev; do
    holds "the libraries depend on $library" grep -qF "$library" <(field assay-dev Depends)
done
holds "Google Benchmark's, if it is linked" is "$(field assay-dev Depends | grep -c libbenchmark-dev)" \
    "$(grep -c '^Requires:.* benchmark' debian/usr/lib/pkgconfig/assay.pc)"
holds "each file in one package" is "$(for package in made/*.deb; do dpkg-deb --contents "$package"; done | grep -v '/$' | awk '{ print $6 }' | sort | uniq -d)" ""
ends 0 "" debian/usr/bin/assay check axpy --axis n=100 --device host --db debian.db
copy_example "$source" project
ends 0 "" cmake -S project -B dot "${make[@]}" -DCMAKE_PREFIX_PATH="$folder/debian/usr" -DCMAKE_BUILD_TYPE=Release
ends 0 "" cmake --build dot
finds_everything dot/dot
finish
